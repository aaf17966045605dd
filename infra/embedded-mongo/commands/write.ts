import { toDouble } from '../bson/numbers.js';
import { type Doc, int, isDoc, isNumber, type Value } from '../bson/values.js';
import { REFUSED_OPTIONS, STATEMENT_OPTIONS } from '../capabilities.js';
import type { Collection, Stored } from '../engine/collection.js';
import { ERROR_CODES, failedToParse, MongoError, typeMismatch } from '../errors.js';
import { findManyInTask } from '../plan/execute.js';
import { parseFilter } from '../query/parse.js';
import { parseUpdate } from '../update/update.js';
import { arrayArgument, checkFields, docArgument, flagArgument, hintArgument, namespaceOf } from './arguments.js';
import {
  type Changed,
  changeByScan,
  changeInTask,
  changeMany,
  insertable,
  removeFound,
  type Target,
  updateFound,
  upsert,
} from './change.js';
import type { Call, CommandHandler } from './context.js';
import { okReply } from './replies.js';
import { type Outcome, runStatements, type Statement, type Tally } from './statements.js';

const MAX_BATCH = 100_000;

export const insert: CommandHandler = async (call) => {
  const namespace = namespaceOf(call);
  const { database } = call.server;
  const statements = batchOf(call, 'documents').map(
    (document): Statement => ({
      attempt: () => {
        const whole = insertable(document);
        database.findOrCreate(namespace).insert(whole);
        return { matched: 1, modified: 0 };
      },
    }),
  );
  const tally = await runStatements(call.server, statements, isOrdered(call), 'fills');
  return okReply({ n: int(tally.n), ...errorsOf(tally) });
};

export const update: CommandHandler = async (call) => {
  const namespace = namespaceOf(call);
  const batch = batchOf(call, 'updates');
  for (const one of batch) checkStatement('update.updates', one, STATEMENT_OPTIONS.update, ['q', 'u']);
  const statements = batch.map((statement) => lazily(() => updateStatement(call, namespace, statement)));
  const tally = await runStatements(call.server, statements, isOrdered(call), 'fills');
  return okReply({
    n: int(tally.n),
    ...(tally.upserted.length > 0 ? { upserted: tally.upserted } : {}),
    nModified: int(tally.nModified),
    ...errorsOf(tally),
  });
};

function updateStatement(call: Call, namespace: string, statement: Doc): Statement {
  const target = targetOf(call, namespace, statement);
  const change = parseUpdate(statement.get('u') as Value, statement.get('arrayFilters'));
  const isMulti = flagArgument('update.updates', statement, 'multi');
  const isUpsert = flagArgument('update.updates', statement, 'upsert');
  if (isMulti && change.isReplacement)
    throw failedToParse('multi update is not supported for replacement-style update');
  const apply = (collection: Collection, found: Stored): Changed =>
    updateFound(change, target.query, collection, found);
  const otherwise = (): Changed | undefined =>
    isUpsert ? upsert(call.server, namespace, target.query, change) : undefined;
  if (isMulti) return manyStatement(target, apply, otherwise);
  return {
    attempt: () => {
      const changed = changeInTask(target, apply);
      return changed === 'large' ? changed : outcomeOf(changed ?? otherwise());
    },
    scan: async () => outcomeOf(await changeByScan(target, apply, otherwise)),
  };
}

function outcomeOf(changed: Changed | undefined): Outcome {
  if (changed === undefined) return { matched: 0, modified: 0 };
  if (changed.upsertedId !== undefined) return { matched: 0, modified: 0, upsertedId: changed.upsertedId };
  return { matched: 1, modified: Number(changed.isModified) };
}

/** A write to many documents: in one task if they are few and quickly found, else by a scan. */
function manyStatement(
  target: Target,
  apply: (c: Collection, found: Stored) => Changed,
  otherwise: () => Changed | undefined,
): Statement {
  return {
    attempt: () => {
      const collection = target.call.server.database.find(target.namespace);
      const found = collection === undefined ? [] : findManyInTask(target.call.server.store, collection, target.query);
      if (found === 'large' || found.length > target.call.server.store.share(found.length)) return 'large';
      if (collection === undefined || found.length === 0) return outcomeOf(otherwise());
      return applyAll(collection, found, apply);
    },
    scan: async () => {
      const outcome = await changeMany(target, apply);
      if (outcome.matched > 0 || outcome.error !== undefined) return outcome;
      return outcomeOf(await target.call.server.store.write(otherwise, target.kind));
    },
  };
}

function applyAll(collection: Collection, found: Stored[], apply: (c: Collection, one: Stored) => Changed): Outcome {
  const outcome: Outcome = { matched: 0, modified: 0 };
  for (const stored of found) {
    try {
      if (apply(collection, stored).isModified) outcome.modified++;
      outcome.matched++;
    } catch (error) {
      if (!(error instanceof MongoError)) throw error;
      return { ...outcome, error };
    }
  }
  return outcome;
}

export const deletes: CommandHandler = async (call) => {
  const namespace = namespaceOf(call);
  const batch = batchOf(call, 'deletes');
  for (const one of batch) checkStatement('delete.deletes', one, STATEMENT_OPTIONS.delete, ['q', 'limit']);
  const statements = batch.map((statement) => lazily(() => deleteStatement(call, namespace, statement)));
  const tally = await runStatements(call.server, statements, isOrdered(call), 'frees');
  return okReply({ n: int(tally.n), ...errorsOf(tally) });
};

function deleteStatement(call: Call, namespace: string, statement: Doc): Statement {
  const target = targetOf(call, namespace, statement);
  const limit = statement.get('limit') as Value;
  const isOne = isNumber(limit) && toDouble(limit) === 1;
  if (!isOne && !(isNumber(limit) && toDouble(limit) === 0))
    throw failedToParse('The limit field in delete objects must be 0 or 1. Got something else');
  if (!isOne) return manyStatement(target, removeFound, () => undefined);
  return {
    attempt: () => {
      const changed = changeInTask(target, removeFound);
      return changed === 'large' ? changed : outcomeOf(changed);
    },
    scan: async () => outcomeOf(await changeByScan(target, removeFound, () => undefined)),
  };
}

function targetOf(call: Call, namespace: string, statement: Doc): Target {
  const filterDoc = docArgument(call.name, statement, 'q') ?? new Map();
  const query = {
    filter: parseFilter(filterDoc),
    sort: [],
    skip: 0,
    limit: 0,
    hint: hintArgument(call.name, statement),
  };
  return { call, namespace, filterDoc, query, kind: call.name === 'delete' ? 'frees' : 'fills' };
}

/** Runs before any statement: a malformed statement refuses the whole command, as in MongoDB. */
function checkStatement(owner: string, statement: Doc, known: readonly string[], required: readonly string[]): void {
  checkFields(owner, statement, known, [...REFUSED_OPTIONS, 'c', 'sort']);
  for (const field of required) {
    if (statement.has(field)) continue;
    throw new MongoError(40414, `BSON field '${owner}.${field}' is missing but a required field`);
  }
  docArgument(owner, statement, 'q');
}

/** Defers the parse error of a statement to its turn in the batch. */
function lazily(make: () => Statement): Statement {
  let made: Statement | undefined;
  const statement = (): Statement => {
    made ??= make();
    return made;
  };
  return {
    attempt: () => statement().attempt(),
    scan: async () => (await statement().scan?.()) ?? { matched: 0, modified: 0 },
  };
}

function batchOf(call: Call, field: string): Doc[] {
  const batch = arrayArgument(call.name, call.command, field);
  if (batch.length === 0 || batch.length > MAX_BATCH) {
    throw new MongoError(
      ERROR_CODES.InvalidLength,
      `Write batch sizes must be between 1 and ${MAX_BATCH}. Got ${batch.length} operations.`,
    );
  }
  return batch.map((one: Value) => {
    if (!isDoc(one)) throw typeMismatch(`BSON field '${call.name}.${field}' holds a value that is no document`);
    return one;
  });
}

const isOrdered = (call: Call): boolean => flagArgument(call.name, call.command, 'ordered', true);

const errorsOf = (tally: Tally): { writeErrors?: Tally['writeErrors'] } =>
  tally.writeErrors.length > 0 ? { writeErrors: tally.writeErrors } : {};
