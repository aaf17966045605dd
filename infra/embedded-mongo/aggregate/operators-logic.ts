import { compare } from '../bson/compare.js';
import { int, isDoc, isTruthy, type Value } from '../bson/values.js';
import { MongoError } from '../errors.js';
import type { Expression, OperatorSource } from './expression.js';
import { anyOperands, namedOperands, operands } from './operands.js';

/** A missing value sorts below every other, so it is not equal to null here. */
function order(a: Value | undefined, b: Value | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  return compare(a, b);
}

const comparing =
  (holds: (order: number) => boolean) =>
  (source: OperatorSource): Expression => {
    const [left, right] = operands(source, 2) as [Expression, Expression];
    return (scope) => holds(order(left(scope), right(scope)));
  };

function cond(source: OperatorSource): Expression {
  const parts = isDoc(source.operand) ? namedOperands(source, ['if', 'then', 'else']) : undefined;
  const [test, then, otherwise] = (
    parts === undefined
      ? operands(source, 3)
      : ['if', 'then', 'else'].map((name) => source.compile(parts.get(name) as Value))
  ) as [Expression, Expression, Expression];
  return (scope) => (isTruthy(test(scope)) ? then(scope) : otherwise(scope));
}

function switchOn(source: OperatorSource): Expression {
  const parts = namedOperands(source, ['branches'], ['default']);
  const raw = parts.get('branches');
  if (!Array.isArray(raw) || raw.length === 0) throw new MongoError(40068, '$switch requires at least one branch.');
  const branches = raw.map((branch) => {
    if (!isDoc(branch) || !branch.has('case') || !branch.has('then'))
      throw new MongoError(40067, "$switch requires each branch have a 'case' and a 'then' expression");
    return { test: source.compile(branch.get('case') as Value), result: source.compile(branch.get('then') as Value) };
  });
  const fallback = parts.has('default') ? source.compile(parts.get('default') as Value) : undefined;
  return (scope) => {
    for (const { test, result } of branches) if (isTruthy(test(scope))) return result(scope);
    if (fallback === undefined)
      throw new MongoError(
        40066,
        '$switch could not find a matching branch for an input, and no default was specified.',
      );
    return fallback(scope);
  };
}

function ifNull(source: OperatorSource): Expression {
  const list = operands(source, 2, Number.MAX_SAFE_INTEGER);
  return (scope) => {
    let last: Value | undefined;
    for (const item of list) {
      last = item(scope);
      if (last !== undefined && last !== null) return last;
    }
    return last;
  };
}

function letIn(source: OperatorSource): Expression {
  const parts = namedOperands(source, ['vars', 'in']);
  const vars = parts.get('vars') as Value;
  if (!isDoc(vars)) throw new MongoError(16876, 'invalid parameter: expected an object (vars)');
  for (const name of vars.keys())
    if (!/^[a-z]/.test(name) && name !== 'CURRENT')
      throw new MongoError(16867, `'${name}' starts with an invalid character for a user variable name`);
  const named = [...vars].map(([name, value]): [string, Expression] => [name, source.compile(value)]);
  const body = source.compile(parts.get('in') as Value);
  return (scope) => {
    const variables = new Map(scope.variables);
    for (const [name, value] of named) variables.set(name, value(scope));
    return body({ root: scope.root, variables });
  };
}

export const LOGIC: Record<string, (source: OperatorSource) => Expression> = {
  $eq: comparing((sign) => sign === 0),
  $ne: comparing((sign) => sign !== 0),
  $gt: comparing((sign) => sign > 0),
  $gte: comparing((sign) => sign >= 0),
  $lt: comparing((sign) => sign < 0),
  $lte: comparing((sign) => sign <= 0),
  $cmp: (source) => {
    const [left, right] = operands(source, 2) as [Expression, Expression];
    return (scope) => int(Math.sign(order(left(scope), right(scope))));
  },
  $and: (source) => {
    const list = anyOperands(source);
    return (scope) => list.every((item) => isTruthy(item(scope)));
  },
  $or: (source) => {
    const list = anyOperands(source);
    return (scope) => list.some((item) => isTruthy(item(scope)));
  },
  $not: (source) => {
    const [item] = operands(source, 1) as [Expression];
    return (scope) => !isTruthy(item(scope));
  },
  $cond: cond,
  $switch: switchOn,
  $ifNull: ifNull,
  $let: letIn,
  $literal:
    ({ operand }) =>
    () =>
      operand,
};
