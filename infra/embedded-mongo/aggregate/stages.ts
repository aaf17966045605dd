import { encode } from '../bson/encode.js';
import { type Doc, int, isDoc, isTruthy, long, type Value } from '../bson/values.js';
import { MongoError } from '../errors.js';
import { sortTooLarge } from '../plan/execute.js';
import { parseFilter } from '../query/parse.js';
import { parseSort, sortKey } from '../query/sort.js';
import { compileExpression, evaluate } from './expression.js';
import { group } from './group.js';
import { filterDoc, sortDoc, wholeNumber } from './pipeline.js';
import { addFields, project, unset } from './project.js';

/** Documents in, documents out, in chunks. */
export type Stage = (source: AsyncGenerator<Doc[]>) => AsyncGenerator<Doc[]>;

export const perDocument = (change: (document: Doc) => Doc[]): Stage =>
  async function* (source) {
    for await (const chunk of source) {
      const made = chunk.flatMap(change);
      if (made.length > 0) yield made;
    }
  };

function match(operand: Value): Stage {
  const filter = parseFilter(filterDoc(operand));
  return perDocument((document) => (filter.test(document) ? [document] : []));
}

const SORT_LIMIT_BYTES = 100 * 1024 * 1024;

function sort(operand: Value): Stage {
  const fields = parseSort(sortDoc(operand));
  return async function* (source) {
    const all: { key: Buffer; document: Doc }[] = [];
    let heldBytes = 0;
    for await (const chunk of source) {
      for (const document of chunk) {
        const key = sortKey(document, fields);
        heldBytes += key.length + encode(document).length;
        all.push({ key, document });
      }
      if (heldBytes > SORT_LIMIT_BYTES) throw sortTooLarge();
    }
    all.sort((a, b) => Buffer.compare(a.key, b.key));
    if (all.length > 0) yield all.map(({ document }) => document);
  };
}

function skip(operand: Value): Stage {
  const count = wholeNumber('$skip', operand, 0);
  return async function* (source) {
    let left = count;
    for await (const chunk of source) {
      const rest = chunk.slice(Math.min(left, chunk.length));
      left -= chunk.length - rest.length;
      if (rest.length > 0) yield rest;
    }
  };
}

function limit(operand: Value): Stage {
  const count = wholeNumber('$limit', operand, 1);
  return async function* (source) {
    let left = count;
    for await (const chunk of source) {
      yield chunk.slice(0, left);
      left -= Math.min(left, chunk.length);
      if (left === 0) return;
    }
  };
}

function count(operand: Value): Stage {
  if (typeof operand !== 'string' || operand === '')
    throw new MongoError(40156, 'the count field must be a non-empty string');
  if (operand.startsWith('$')) throw new MongoError(40158, 'the count field cannot be a $-prefixed path');
  if (operand.includes('\0')) throw new MongoError(40159, 'the count field cannot contain a null byte');
  if (operand.includes('.')) throw new MongoError(40160, "the count field cannot contain '.'");
  return async function* (source) {
    let total = 0;
    for await (const chunk of source) total += chunk.length;
    const shown = total <= 2_147_483_647 ? int(total) : long(BigInt(total));
    if (total > 0) yield [new Map([[operand, shown]])];
  };
}

function unwind(operand: Value): Stage {
  const options = isDoc(operand) ? operand : new Map<string, Value>([['path', operand]]);
  for (const option of options.keys()) {
    if (!['path', 'preserveNullAndEmptyArrays', 'includeArrayIndex'].includes(option))
      throw new MongoError(28811, `unrecognized option to $unwind stage: ${option}`);
  }
  if (options.has('includeArrayIndex'))
    throw new MongoError(115, '$unwind.includeArrayIndex is not supported by the embedded server');
  const path = options.get('path');
  if (typeof path !== 'string') throw new MongoError(28808, 'expected a string as the path for $unwind stage');
  if (!path.startsWith('$'))
    throw new MongoError(28818, `path option to $unwind stage should be prefixed with a '$': ${path}`);
  const keeps = isTruthy(options.get('preserveNullAndEmptyArrays'));
  const parts = path.slice(1).split('.');
  return perDocument((document) => unwound(document, parts, keeps));
}

function unwound(document: Doc, parts: readonly string[], keeps: boolean): Doc[] {
  let value: Value | undefined = document;
  for (const part of parts) value = isDoc(value) ? value.get(part) : undefined;
  if (Array.isArray(value) && value.length > 0) return value.map((item) => replaced(document, parts, item));
  if (Array.isArray(value)) return keeps ? [replaced(document, parts, undefined)] : [];
  return keeps || (value !== undefined && value !== null) ? [document] : [];
}

function replaced(document: Doc, [part, ...rest]: readonly string[], item: Value | undefined): Doc {
  const copy = new Map(document);
  const inner = copy.get(part as string);
  const next = rest.length === 0 ? item : isDoc(inner) ? replaced(inner, rest, item) : inner;
  if (next === undefined) copy.delete(part as string);
  else copy.set(part as string, next);
  return copy;
}

function replaceRoot(operand: Value): Stage {
  if (!isDoc(operand) || operand.size !== 1 || !operand.has('newRoot'))
    throw new MongoError(40229, "$replaceRoot needs exactly 'newRoot'");
  return replaceWith(operand.get('newRoot') as Value);
}

function replaceWith(operand: Value): Stage {
  const expression = compileExpression(operand);
  return perDocument((document) => {
    const next = evaluate(expression, document);
    if (!isDoc(next)) throw new MongoError(40228, "'newRoot' expression must evaluate to an object");
    return [next];
  });
}

function sortByCount(operand: Value): Stage {
  const grouping = group(
    new Map<string, Value>([
      ['_id', operand],
      ['count', new Map([['$sum', int(1)]])],
    ]),
  );
  const sorting = sort(new Map([['count', int(-1)]]));
  return (source) => sorting(grouping(source));
}

/** Every stage by name. */
export const STAGES: ReadonlyMap<string, (operand: Value) => Stage> = new Map([
  ['$match', match],
  ['$group', group],
  ['$sort', sort],
  ['$skip', skip],
  ['$limit', limit],
  ['$project', project],
  ['$addFields', addFields],
  ['$set', addFields],
  ['$unset', unset],
  ['$count', count],
  ['$unwind', unwind],
  ['$replaceRoot', replaceRoot],
  ['$replaceWith', replaceWith],
  ['$sortByCount', sortByCount],
]);
