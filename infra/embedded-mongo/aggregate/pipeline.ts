import { encodeStored, RawDoc } from '../bson/encode.js';
import { toIntegral } from '../bson/numbers.js';
import { type Doc, isDoc, isNumber, type Value } from '../bson/values.js';
import type { Collection } from '../engine/collection.js';
import { MongoError } from '../errors.js';
import { execute, type Query, type Run } from '../plan/execute.js';
import type { Hint } from '../plan/planner.js';
import { parseFilter } from '../query/parse.js';
import { And } from '../query/predicates.js';
import { parseSort } from '../query/sort.js';
import { STAGES, type Stage } from './stages.js';

export interface Pipeline {
  /** The conditions of the leading $match stages, for plans and warnings. */
  matched: Doc;
  /** The stages that the planner executes: leading $match, then $sort, $skip and $limit. */
  query: (hint: Hint) => Query;
  documents: (run: Run, collection: Collection | undefined, hint: Hint) => AsyncGenerator<RawDoc[]>;
}

/** Reads a pipeline. Throws MongoError 40324 for an unknown stage, and each stage's own codes. */
export function compile(raw: readonly Value[]): Pipeline {
  const parsed = raw.map(parseStage);
  const { query, rest, matched } = leading(parsed);
  const stages = rest.map(({ name, operand }) => (STAGES.get(name) as (operand: Value) => Stage)(operand));
  const withHint = (hint: Hint): Query => ({ ...query, hint });
  return {
    matched,
    query: withHint,
    documents: async function* (run, collection, hint) {
      const source = read(run, collection, withHint(hint));
      if (stages.length === 0) {
        for await (const chunk of source) yield chunk.map(({ bytes }) => new RawDoc(bytes));
        return;
      }
      let documents = documentsOf(source);
      for (const stage of stages) documents = stage(documents);
      for await (const chunk of documents) yield chunk.map((document) => new RawDoc(encodeStored(document)));
    },
  };
}

interface ParsedStage {
  name: string;
  operand: Value;
}

function parseStage(stage: Value): ParsedStage {
  if (!isDoc(stage)) throw new MongoError(14, "Each element of the 'pipeline' array must be an object");
  if (stage.size !== 1)
    throw new MongoError(40323, 'A pipeline stage specification object must contain exactly one field.');
  const [[name, operand]] = stage as unknown as [[string, Value]];
  if (!STAGES.has(name)) throw new MongoError(40324, `Unrecognized pipeline stage name: '${name}'`);
  return { name, operand };
}

/** Separates the leading stages that a plan can execute. */
function leading(stages: ParsedStage[]): { query: Query; rest: ParsedStage[]; matched: Doc } {
  const rest = [...stages];
  const filters: Doc[] = [];
  const query: Query = { filter: new And([]), sort: [], skip: 0, limit: 0, hint: undefined };
  const take = (name: string): Value | undefined => (rest[0]?.name === name ? rest.shift()?.operand : undefined);
  for (let filter = take('$match'); filter !== undefined; filter = take('$match')) filters.push(filterDoc(filter));
  const matched: Doc =
    filters.length === 1 ? (filters[0] as Doc) : filters.length === 0 ? new Map() : new Map([['$and', filters]]);
  query.filter = parseFilter(matched);
  const sort = take('$sort');
  if (sort !== undefined) query.sort = parseSort(sortDoc(sort));
  const skip = take('$skip');
  if (skip !== undefined) query.skip = wholeNumber('$skip', skip, 0);
  const limit = take('$limit');
  if (limit !== undefined) query.limit = wholeNumber('$limit', limit, 1);
  return { query, rest, matched };
}

export function filterDoc(operand: Value): Doc {
  if (!isDoc(operand)) throw new MongoError(15959, 'the match filter must be an expression in an object');
  return operand;
}

export function sortDoc(operand: Value): Doc {
  if (!isDoc(operand)) throw new MongoError(15973, 'the $sort key specification must be an object');
  if (operand.size === 0) throw new MongoError(15976, '$sort stage must have at least one sort key');
  return operand;
}

export function wholeNumber(stage: string, operand: Value, least: number): number {
  const value = isNumber(operand) ? toIntegral(operand) : undefined;
  if (value === undefined)
    throw new MongoError(
      stage === '$limit' ? 2107201 : 5107200,
      `invalid argument to ${stage} stage: Expected an integer`,
    );
  if (value < 0n)
    throw new MongoError(
      stage === '$limit' ? 2107201 : 5107200,
      `invalid argument to ${stage} stage: Expected a non-negative number`,
    );
  if (Number(value) < least) throw new MongoError(15958, 'the limit must be positive');
  return Number(value);
}

async function* read(run: Run, collection: Collection | undefined, query: Query): ReturnType<typeof execute> {
  if (collection !== undefined) yield* execute(run, collection, query);
}

async function* documentsOf(source: ReturnType<typeof execute>): AsyncGenerator<Doc[]> {
  for await (const chunk of source) yield chunk.map(({ document }) => document);
}
