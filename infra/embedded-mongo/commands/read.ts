import { compile as compilePipeline } from '../aggregate/pipeline.js';
import { encode, RawDoc } from '../bson/encode.js';
import { keyOf } from '../bson/key.js';
import { toDouble } from '../bson/numbers.js';
import { type Doc, int, isDoc, isNumber, Long, type Value } from '../bson/values.js';
import { badValue, failedToParse, MongoError, typeMismatch } from '../errors.js';
import { execute, type Query, type Run } from '../plan/execute.js';
import { shapeOf } from '../plan/shape.js';
import { parseFilter } from '../query/parse.js';
import { type FieldPath, fieldPath } from '../query/path.js';
import { parseProjection } from '../query/projection.js';
import { parseSort } from '../query/sort.js';
import {
  arrayArgument,
  countArgument,
  docArgument,
  flagArgument,
  hintArgument,
  namespace,
  namespaceOf,
  stringArgument,
} from './arguments.js';
import type { Call, CommandHandler } from './context.js';
import { explainAggregate } from './explain.js';
import { okReply } from './replies.js';

/** The limits of this command's scan. A warning names the namespace and the query's shape, never its values. */
export function runOf(call: Call, namespaceName: string, filter: Doc): Run {
  return {
    store: call.server.store,
    limitMs: call.limitMs,
    onFullScan: (docsExamined) =>
      call.server.warn(`full scan of ${docsExamined} documents in ${namespaceName} by ${call.name} ${shapeOf(filter)}`),
  };
}

/** Parses the fields of find, also for explain. */
export function findQuery(command: Doc): { filter: Doc; query: Query } {
  const filter = docArgument('find', command, 'filter') ?? new Map();
  const query: Query = {
    filter: parseFilter(filter),
    sort: parseSort(docArgument('find', command, 'sort') ?? new Map()),
    skip: countArgument('find', command, 'skip') ?? 0,
    limit: countArgument('find', command, 'limit') ?? 0,
    hint: hintArgument('find', command),
  };
  return { filter, query };
}

export const find: CommandHandler = async (call) => {
  const name = namespaceOf(call);
  const { filter, query } = findQuery(call.command);
  const project = parseProjection(docArgument('find', call.command, 'projection') ?? new Map());
  const collection = call.server.database.find(name);
  const source = async function* (): AsyncGenerator<RawDoc[]> {
    if (collection === undefined) return;
    for await (const chunk of execute(runOf(call, name, filter), collection, query)) {
      yield chunk.map(({ bytes, document }) => new RawDoc(project === undefined ? bytes : encode(project(document))));
    }
  };
  const cursor = await call.server.cursors.open(name, source(), {
    batchSize: countArgument('find', call.command, 'batchSize'),
    singleBatch: flagArgument('find', call.command, 'singleBatch'),
    limit: query.limit,
    noTimeout: flagArgument('find', call.command, 'noCursorTimeout'),
  });
  return okReply({ cursor });
};

export const getMore: CommandHandler = async (call) => {
  const id = call.command.get('getMore');
  if (!(id instanceof Long)) throw typeMismatch("BSON field 'getMore.getMore' is the wrong type, expected type 'long'");
  const name = namespace(call.db, stringArgument('getMore', call.command, 'collection').replace(/^\$cmd\./, ''));
  const isListing = stringArgument('getMore', call.command, 'collection').startsWith('$cmd.');
  const wanted = isListing ? `${call.db}.${stringArgument('getMore', call.command, 'collection')}` : name;
  const cursor = await call.server.cursors.getMore(
    id.toBigInt(),
    wanted,
    countArgument('getMore', call.command, 'batchSize'),
  );
  return okReply({ cursor });
};

export const killCursors: CommandHandler = async (call) => {
  const ids = arrayArgument('killCursors', call.command, 'cursors');
  const killed: Value[] = [];
  const notFound: Value[] = [];
  for (const id of ids) {
    if (!(id instanceof Long)) throw typeMismatch("BSON field 'killCursors.cursors' holds a value that is no long");
    ((await call.server.cursors.kill(id.toBigInt(), call.db)) ? killed : notFound).push(id);
  }
  return okReply({ cursorsKilled: killed, cursorsNotFound: notFound, cursorsAlive: [], cursorsUnknown: [] });
};

export const count: CommandHandler = async (call) => {
  const name = namespaceOf(call);
  const filter = docArgument('count', call.command, 'query') ?? new Map();
  const skip = countArgument('count', call.command, 'skip') ?? 0;
  const limit = limitOfCount(call.command);
  const collection = call.server.database.find(name);
  let total = 0;
  if (collection !== undefined && filter.size === 0) total = await collection.count();
  else if (collection !== undefined) {
    const query: Query = {
      filter: parseFilter(filter),
      sort: [],
      skip: 0,
      limit: 0,
      hint: hintArgument('count', call.command),
    };
    for await (const chunk of execute(runOf(call, name, filter), collection, query)) total += chunk.length;
  }
  total = Math.max(0, total - skip);
  return okReply({ n: int(limit === 0 ? total : Math.min(limit, total)) });
};

/** A negative limit means its absolute value; formerly it requested a single batch. */
function limitOfCount(command: Doc): number {
  const limit = command.get('limit');
  if (!isNumber(limit)) return countArgument('count', command, 'limit') ?? 0;
  return Math.abs(Math.trunc(toDouble(limit)) || 0);
}

export const distinct: CommandHandler = async (call) => {
  const name = namespaceOf(call);
  const path = fieldPath(stringArgument('distinct', call.command, 'key'));
  const filter = docArgument('distinct', call.command, 'query') ?? new Map();
  const query: Query = {
    filter: parseFilter(filter),
    sort: [],
    skip: 0,
    limit: 0,
    hint: hintArgument('distinct', call.command),
  };
  const collection = call.server.database.find(name);
  const values = new Map<string, Value>();
  if (collection !== undefined) {
    for await (const chunk of execute(runOf(call, name, filter), collection, query)) {
      for (const { document } of chunk) {
        for (const value of valuesAt(document, path, 0)) {
          const key = keyOf(value).toString('latin1');
          if (!values.has(key)) values.set(key, value);
        }
      }
    }
  }
  return okReply({ values: [...values].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value) });
};

/** All values that a path reaches. An array at its end gives its items. */
function valuesAt(value: Value | undefined, path: FieldPath, at: number): Value[] {
  const part = path.parts[at];
  if (value === undefined) return [];
  if (part === undefined) return Array.isArray(value) ? value : [value];
  if (isDoc(value)) return valuesAt(value.get(part.name), path, at + 1);
  if (!Array.isArray(value)) return [];
  const place = part.isIndex ? valuesAt(value[Number(part.name)], path, at + 1) : [];
  return [...place, ...value.flatMap((item) => (isDoc(item) ? valuesAt(item, path, at) : []))];
}

export const aggregate: CommandHandler = async (call) => {
  if (call.command.get('aggregate') instanceof Object || typeof call.command.get('aggregate') !== 'string') {
    throw badValue('an aggregation without a collection is not supported by the embedded server');
  }
  const name = namespaceOf(call);
  const pipeline = compilePipeline(arrayArgument('aggregate', call.command, 'pipeline'));
  const hint = hintArgument('aggregate', call.command);
  if (flagArgument('aggregate', call.command, 'explain')) return explainAggregate(call, name, pipeline, hint);
  const options = docArgument('aggregate', call.command, 'cursor');
  if (options === undefined) {
    throw failedToParse("The 'cursor' option is required, except for aggregate with the explain argument");
  }
  for (const option of options.keys())
    if (option !== 'batchSize') throw new MongoError(40415, `BSON field 'cursor.${option}' is an unknown field.`);
  const collection = call.server.database.find(name);
  const run = runOf(call, name, pipeline.matched);
  const cursor = await call.server.cursors.open(name, pipeline.documents(run, collection, hint), {
    batchSize: countArgument('cursor', options, 'batchSize'),
    singleBatch: false,
    limit: 0,
    noTimeout: false,
  });
  return okReply({ cursor });
};
