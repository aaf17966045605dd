import { equal } from '../bson/compare.js';
import { toIntegral } from '../bson/numbers.js';
import { int, isDoc, isNumber, isTruthy, typeName, type Value } from '../bson/values.js';
import { MongoError } from '../errors.js';
import { ACCUMULATORS, type Accumulator } from './accumulators.js';
import type { Expression, OperatorSource, Scope } from './expression.js';
import { anyOperands, namedOperands, operands } from './operands.js';

const inScope = (scope: Scope, name: string, value: Value | undefined): Scope => ({
  root: scope.root,
  variables: new Map(scope.variables).set(name, value),
});

function nameOf(source: OperatorSource, parts: Map<string, Value>): string {
  const name = parts.get('as') ?? 'this';
  if (typeof name !== 'string' || !/^[a-z]\w*$/.test(name))
    throw new MongoError(16867, `'${String(name)}' is no name for a variable (${source.name})`);
  return name;
}

function filter(source: OperatorSource): Expression {
  const parts = namedOperands(source, ['input', 'cond'], ['as']);
  const [input, cond] = [source.compile(parts.get('input') as Value), source.compile(parts.get('cond') as Value)];
  const name = nameOf(source, parts);
  return overItems(source, input, (scope, items) => items.filter((item) => isTruthy(cond(inScope(scope, name, item)))));
}

function map(source: OperatorSource): Expression {
  const parts = namedOperands(source, ['input', 'in'], ['as']);
  const [input, body] = [source.compile(parts.get('input') as Value), source.compile(parts.get('in') as Value)];
  const name = nameOf(source, parts);
  return overItems(source, input, (scope, items) => items.map((item) => body(inScope(scope, name, item)) ?? null));
}

function reduce(source: OperatorSource): Expression {
  const parts = namedOperands(source, ['input', 'initialValue', 'in']);
  const [input, initial, body] = ['input', 'initialValue', 'in'].map((name) =>
    source.compile(parts.get(name) as Value),
  ) as [Expression, Expression, Expression];
  return overItems(source, input, (scope, items) =>
    items.reduce<Value>(
      (held, item) => body(inScope(inScope(scope, 'value', held), 'this', item)) ?? null,
      initial(scope) ?? null,
    ),
  );
}

/** Null and missing give null; anything else that is no array is an error. */
function overItems(
  source: OperatorSource,
  input: Expression,
  compute: (scope: Scope, items: Value[]) => Value,
): Expression {
  return (scope) => {
    const items = input(scope);
    if (items === undefined || items === null) return null;
    if (!Array.isArray(items))
      throw new MongoError(28651, `input to ${source.name} must be an array not ${typeName(items)}`);
    return compute(scope, items);
  };
}

function elementAt(source: OperatorSource): Expression {
  const [list, place] = operands(source, 2) as [Expression, Expression];
  return (scope) => {
    const [items, at] = [list(scope), place(scope)];
    if (items === undefined || items === null || at === undefined || at === null) return null;
    if (!Array.isArray(items))
      throw new MongoError(28689, `$arrayElemAt's first argument must be an array, but is ${typeName(items)}`);
    const index = isNumber(at) ? toIntegral(at) : undefined;
    if (index === undefined)
      throw new MongoError(28690, `$arrayElemAt's second argument must be a numeric value, but is ${typeName(at)}`);
    return items.at(Number(index));
  };
}

const end =
  (place: 0 | -1) =>
  (source: OperatorSource): Expression => {
    const [list] = operands(source, 1) as [Expression];
    return (scope) => {
      const items = list(scope);
      if (items === undefined || items === null) return null;
      if (!Array.isArray(items))
        throw new MongoError(28689, `${source.name}'s argument must be an array, but is ${typeName(items)}`);
      return items.at(place);
    };
  };

function slice(source: OperatorSource): Expression {
  const list = operands(source, 2, 3);
  return (scope) => {
    const [items, ...numbers] = list.map((item) => item(scope));
    if (items === undefined || items === null || numbers.some((value) => value === undefined || value === null))
      return null;
    if (!Array.isArray(items))
      throw new MongoError(28724, `First argument to $slice must be an array, but is of type: ${typeName(items)}`);
    const [first, second] = numbers.map((value) =>
      isNumber(value) ? Number(toIntegral(value) ?? Number.NaN) : Number.NaN,
    );
    if (Number.isNaN(first) || Number.isNaN(second))
      throw new MongoError(28725, 'arguments to $slice must be 32-bit integers');
    if (second === undefined) return (first as number) < 0 ? items.slice(first) : items.slice(0, first);
    if (second <= 0) throw new MongoError(28729, `Third argument to $slice must be positive: ${second}`);
    const start = (first as number) < 0 ? Math.max(0, items.length + (first as number)) : (first as number);
    return items.slice(start, start + second);
  };
}

function isIn(source: OperatorSource): Expression {
  const [item, list] = operands(source, 2) as [Expression, Expression];
  return (scope) => {
    const [wanted, items] = [item(scope), list(scope)];
    if (!Array.isArray(items))
      throw new MongoError(40081, `$in requires an array as a second argument, found: ${typeName(items)}`);
    return wanted !== undefined && items.some((other) => equal(other, wanted));
  };
}

/** `{$sum: [..]}` and similar operators, over one array or several expressions. */
const accumulating =
  (name: string) =>
  (source: OperatorSource): Expression => {
    const list = anyOperands(source);
    const isSingle = list.length === 1 && !Array.isArray(source.operand);
    return (scope) => {
      const accumulator = (ACCUMULATORS[name] as () => Accumulator)();
      const values = list.map((item) => item(scope));
      const single = values[0];
      const given = (isSingle || list.length === 1) && Array.isArray(single) ? single : values;
      for (const value of given) accumulator.add(value);
      return accumulator.result();
    };
  };

export const ARRAYS: Record<string, (source: OperatorSource) => Expression> = {
  $size: (source) => {
    const [list] = operands(source, 1) as [Expression];
    return (scope) => {
      const items = list(scope);
      if (!Array.isArray(items))
        throw new MongoError(17124, `The argument to $size must be an array, but was of type: ${typeName(items)}`);
      return int(items.length);
    };
  },
  $isArray: (source) => {
    const [item] = operands(source, 1) as [Expression];
    return (scope) => Array.isArray(item(scope));
  },
  $concatArrays: (source) => {
    const list = anyOperands(source);
    return (scope) => {
      const all: Value[] = [];
      for (const item of list) {
        const items = item(scope);
        if (items === undefined || items === null) return null;
        if (!Array.isArray(items))
          throw new MongoError(28664, `$concatArrays only supports arrays, not ${typeName(items)}`);
        all.push(...items);
      }
      return all;
    };
  },
  $mergeObjects: (source) => {
    const list = anyOperands(source);
    return (scope) => {
      const merged = new Map<string, Value>();
      for (const item of list) {
        const value = item(scope);
        if (value === undefined || value === null) continue;
        if (!isDoc(value))
          throw new MongoError(40400, `$mergeObjects requires object inputs, but input is of type ${typeName(value)}`);
        for (const [name, field] of value) merged.set(name, field);
      }
      return merged;
    };
  },
  $arrayElemAt: elementAt,
  $first: end(0),
  $last: end(-1),
  $slice: slice,
  $in: isIn,
  $filter: filter,
  $map: map,
  $reduce: reduce,
  $sum: accumulating('$sum'),
  $avg: accumulating('$avg'),
  $min: accumulating('$min'),
  $max: accumulating('$max'),
};
