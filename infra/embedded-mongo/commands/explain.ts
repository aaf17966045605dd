import type { Pipeline } from '../aggregate/pipeline.js';
import { compile as compilePipeline } from '../aggregate/pipeline.js';
import type { Encodable, EncodableMap } from '../bson/encode.js';
import { type Doc, int, isDoc, type Value } from '../bson/values.js';
import type { Collection } from '../engine/collection.js';
import { badValue, failedToParse } from '../errors.js';
import { type Query, scanMatching } from '../plan/execute.js';
import { type Hint, type IndexScan, type Plan, plan } from '../plan/planner.js';
import type { ScanCounts } from '../plan/scan.js';
import { parseFilter } from '../query/parse.js';
import { parseSort } from '../query/sort.js';
import { arrayArgument, docArgument, hintArgument, namespaceOf } from './arguments.js';
import type { Call, CommandHandler } from './context.js';
import { findQuery, runOf } from './read.js';
import { okReply } from './replies.js';

/** The commands that explain supports, each with the function that parses its query. */
const QUERIES: Readonly<Record<string, (command: Doc) => { filter: Doc; query: Query }>> = {
  find: findQuery,
  count: (command) => fromFilter(command, 'query', 'count'),
  distinct: (command) => fromFilter(command, 'query', 'distinct'),
  findAndModify: (command) => fromFilter(command, 'query', 'findAndModify'),
  update: (command) => fromFilter(firstStatement(command, 'updates'), 'q', 'update'),
  delete: (command) => fromFilter(firstStatement(command, 'deletes'), 'q', 'delete'),
  aggregate: (command) => {
    const pipeline = compilePipeline(arrayArgument('aggregate', command, 'pipeline'));
    return { filter: pipeline.matched, query: pipeline.query(hintArgument('aggregate', command)) };
  },
};

export const EXPLAINABLE = Object.keys(QUERIES);

function fromFilter(command: Doc, field: string, owner: string): { filter: Doc; query: Query } {
  const filter = docArgument(owner, command, field) ?? new Map();
  const sort = parseSort(docArgument(owner, command, 'sort') ?? new Map());
  return {
    filter,
    query: { filter: parseFilter(filter), sort, skip: 0, limit: 0, hint: hintArgument(owner, command) },
  };
}

function firstStatement(command: Doc, field: string): Doc {
  const [first] = arrayArgument('explain', command, field);
  if (!isDoc(first)) throw failedToParse(`explain needs one statement in '${field}'`);
  return first;
}

/** Reports COLLSCAN or IXSCAN with its bounds; with verbosity executionStats also the number of examined keys and documents. */
export const explain: CommandHandler = async (call) => {
  const inner = call.command.get('explain');
  if (!isDoc(inner)) throw badValue('the explain command needs the command to explain as a document');
  const name = inner.keys().next().value ?? '';
  const queryOf = QUERIES[name];
  if (queryOf === undefined) throw badValue(`Explain failed due to unknown command: ${name}`);
  const verbosity = call.command.get('verbosity') ?? 'allPlansExecution';
  if (!['queryPlanner', 'executionStats', 'allPlansExecution'].includes(verbosity as string)) {
    throw failedToParse("verbosity string must be one of {'queryPlanner', 'executionStats', 'allPlansExecution'}");
  }
  const innerCall: Call = { ...call, name, command: inner };
  const { filter, query } = queryOf(inner);
  return explained(innerCall, namespaceOf(innerCall), filter, query, verbosity !== 'queryPlanner');
};

export function explainAggregate(call: Call, namespace: string, pipeline: Pipeline, hint: Hint): Promise<EncodableMap> {
  return explained(call, namespace, pipeline.matched, pipeline.query(hint), false);
}

async function explained(
  call: Call,
  namespace: string,
  filter: Doc,
  query: Query,
  runsIt: boolean,
): Promise<EncodableMap> {
  const collection = call.server.database.find(namespace);
  const chosen = collection === undefined ? undefined : plan(collection, query.filter, query.sort, query.hint);
  const winningPlan = chosen === undefined ? new Map<string, Value>([['stage', 'EOF']]) : planDoc(chosen, query);
  const queryPlanner = new Map<string, Encodable>([
    ['namespace', namespace],
    ['parsedQuery', filter],
    ['winningPlan', winningPlan],
    ['rejectedPlans', []],
  ]);
  const stats = runsIt ? await executionStats(call, namespace, filter, query, collection, chosen) : undefined;
  return okReply({
    explainVersion: '1',
    queryPlanner,
    ...(stats === undefined ? {} : { executionStats: stats }),
    command: call.command,
    serverInfo: new Map([['version', 'embedded']]),
  });
}

async function executionStats(
  call: Call,
  namespace: string,
  filter: Doc,
  query: Query,
  collection: Collection | undefined,
  chosen: Plan | undefined,
): Promise<EncodableMap> {
  const counts: ScanCounts = { keysExamined: 0, docsExamined: 0 };
  const wanted = query.limit === 0 || chosen?.givesOrder !== true ? Number.POSITIVE_INFINITY : query.skip + query.limit;
  let found = 0;
  if (collection !== undefined && chosen !== undefined) {
    for await (const chunk of scanMatching(runOf(call, namespace, filter), collection, query.filter, chosen, counts)) {
      found += chunk.length;
      if (found >= wanted) break;
    }
  }
  const kept = Math.max(0, found - query.skip);
  return new Map<string, Encodable>([
    ['executionSuccess', true],
    ['nReturned', int(query.limit === 0 ? kept : Math.min(kept, query.limit))],
    ['totalKeysExamined', int(counts.keysExamined)],
    ['totalDocsExamined', int(counts.docsExamined)],
  ]);
}

function planDoc(chosen: Plan, query: Query): Doc {
  const reading = readingDoc(chosen);
  if (chosen.givesOrder) return reading;
  return new Map<string, Value>([
    ['stage', query.sort.length > 0 ? 'SORT' : 'SUBPLAN'],
    ['inputStage', reading],
  ]);
}

function readingDoc(chosen: Plan): Doc {
  if (chosen.kind === 'COLLSCAN') {
    return new Map<string, Value>([
      ['stage', 'COLLSCAN'],
      ['direction', chosen.reverse ? 'backward' : 'forward'],
    ]);
  }
  const input = chosen.kind === 'IXSCAN' ? indexDoc(chosen) : orDoc(chosen.branches);
  return new Map<string, Value>([
    ['stage', 'FETCH'],
    ['inputStage', input],
  ]);
}

const orDoc = (branches: IndexScan[]): Doc =>
  new Map<string, Value>([
    ['stage', 'OR'],
    ['inputStages', branches.map(indexDoc)],
  ]);

function indexDoc({ index, reverse, bounds }: IndexScan): Doc {
  const shownBounds = [...index.spec.key.keys()].map((field, place): [string, Value] => [
    field,
    bounds[place]?.shown ?? ['[MinKey, MaxKey]'],
  ]);
  return new Map<string, Value>([
    ['stage', 'IXSCAN'],
    ['keyPattern', index.spec.key],
    ['indexName', index.spec.name],
    ['isMultiKey', index.multikey.size > 0],
    ['isUnique', index.spec.unique],
    ['isSparse', index.spec.sparse],
    ['isPartial', index.partial !== undefined],
    ['direction', reverse ? 'backward' : 'forward'],
    ['indexBounds', new Map(shownBounds)],
  ]);
}
