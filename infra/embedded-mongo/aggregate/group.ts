import { keyOf } from '../bson/key.js';
import { type Doc, int, isDoc, type Value } from '../bson/values.js';
import { MongoError } from '../errors.js';
import { ACCUMULATORS, type Accumulator } from './accumulators.js';
import { compileExpression, type Expression, evaluate } from './expression.js';
import type { Stage } from './stages.js';

interface Column {
  name: string;
  make: () => Accumulator;
  input: Expression;
}

interface Group {
  id: Value;
  accumulators: Accumulator[];
}

/** Reads `$group`. Groups come out in the order in which their first document came in. */
export function group(operand: Value): Stage {
  if (!isDoc(operand)) throw new MongoError(15947, "a group's fields must be specified in an object");
  if (!operand.has('_id')) throw new MongoError(15955, 'a group specification must include an _id');
  const id = compileExpression(operand.get('_id') as Value);
  const columns = [...operand].filter(([name]) => name !== '_id').map(([name, spec]) => parseColumn(name, spec));
  return async function* (source) {
    const groups = new Map<string, Group>();
    for await (const chunk of source) for (const document of chunk) collect(groups, document, id, columns);
    const results = [...groups.values()].map(({ id: value, accumulators }) => resultOf(value, columns, accumulators));
    if (results.length > 0) yield results;
  };
}

function parseColumn(name: string, spec: Value): Column {
  if (name.includes('.')) throw new MongoError(40235, `The field name '${name}' cannot contain '.'`);
  if (name.startsWith('$')) throw new MongoError(40236, `The field name '${name}' cannot be an operator name`);
  if (!isDoc(spec)) throw new MongoError(40234, `The field '${name}' must be an accumulator object`);
  if (spec.size !== 1) throw new MongoError(40238, `The field '${name}' must specify one accumulator`);
  const [[operator, operand]] = spec as unknown as [[string, Value]];
  if (operator === '$count') {
    if (!isDoc(operand) || operand.size > 0) throw new MongoError(40234, '$count takes no arguments, i.e. $count:{}');
    return { name, make: ACCUMULATORS.$sum as () => Accumulator, input: () => int(1) };
  }
  const make = ACCUMULATORS[operator];
  if (make === undefined) throw new MongoError(15952, `unknown group operator '${operator}'`);
  return { name, make, input: compileExpression(operand) };
}

function collect(groups: Map<string, Group>, document: Doc, id: Expression, columns: readonly Column[]): void {
  const value = evaluate(id, document) ?? null;
  const key = keyOf(value).toString('latin1');
  let found = groups.get(key);
  if (found === undefined) {
    found = { id: value, accumulators: columns.map(({ make }) => make()) };
    groups.set(key, found);
  }
  for (const [place, { input }] of columns.entries()) found.accumulators[place]?.add(evaluate(input, document));
}

function resultOf(id: Value, columns: readonly Column[], accumulators: readonly Accumulator[]): Doc {
  const result: Doc = new Map([['_id', id]]);
  for (const [place, { name }] of columns.entries()) result.set(name, accumulators[place]?.result() ?? null);
  return result;
}
