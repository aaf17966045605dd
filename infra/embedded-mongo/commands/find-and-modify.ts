import { decode } from '../bson/decode.js';
import { type Encodable, encode, RawDoc } from '../bson/encode.js';
import { int } from '../bson/values.js';
import { failedToParse } from '../errors.js';
import { parseFilter } from '../query/parse.js';
import { type Projection, parseProjection } from '../query/projection.js';
import { parseSort } from '../query/sort.js';
import { parseUpdate } from '../update/update.js';
import { docArgument, flagArgument, hintArgument, namespaceOf } from './arguments.js';
import { type Changed, changeByScan, changeInTask, removeFound, type Target, updateFound, upsert } from './change.js';
import type { CommandHandler } from './context.js';
import { okReply } from './replies.js';

const OWNER = 'findAndModify';

/** Finds, changes and returns one document atomically: the compare-and-set of every save. */
export const findAndModify: CommandHandler = async (call) => {
  const { command, server } = call;
  const namespace = namespaceOf(call);
  const filterDoc = docArgument(OWNER, command, 'query') ?? new Map();
  const target: Target = {
    call,
    namespace,
    filterDoc,
    query: {
      filter: parseFilter(filterDoc),
      sort: parseSort(docArgument(OWNER, command, 'sort') ?? new Map()),
      skip: 0,
      limit: 0,
      hint: hintArgument(OWNER, command),
    },
    kind: flagArgument(OWNER, command, 'remove') ? 'frees' : 'fills',
  };
  const isRemoval = flagArgument(OWNER, command, 'remove');
  const isUpsert = flagArgument(OWNER, command, 'upsert');
  const showsNew = flagArgument(OWNER, command, 'new');
  const project = parseProjection(docArgument(OWNER, command, 'fields') ?? new Map());
  const raw = command.get('update');
  if (isRemoval && raw !== undefined) throw failedToParse('Cannot specify both an update and remove=true');
  if (!isRemoval && raw === undefined) throw failedToParse('Either an update or remove=true must be specified');
  if (isRemoval && isUpsert) throw failedToParse('Cannot specify both upsert=true and remove=true');
  if (isRemoval && showsNew)
    throw failedToParse("Cannot specify both new=true and remove=true; 'remove' always returns the deleted document");

  const change = raw === undefined ? undefined : parseUpdate(raw, command.get('arrayFilters'));
  const apply: Parameters<typeof changeInTask>[1] =
    change === undefined ? removeFound : (collection, found) => updateFound(change, target.query, collection, found);
  const otherwise = (): Changed | undefined =>
    isUpsert && change !== undefined ? upsert(server, namespace, target.query, change) : undefined;

  const first = await server.store.write(() => {
    const changed = changeInTask(target, apply);
    return changed === 'large' ? changed : (changed ?? otherwise());
  }, target.kind);
  const changed = first === 'large' ? await changeByScan(target, apply, otherwise) : first;
  return okReply({ lastErrorObject: lastError(changed, isRemoval), value: shown(changed, showsNew, project) });
};

function lastError(changed: Changed | undefined, isRemoval: boolean): Map<string, Encodable> {
  const summary = new Map<string, Encodable>([['n', int(changed === undefined ? 0 : 1)]]);
  if (isRemoval) return summary;
  summary.set('updatedExisting', changed?.before !== undefined);
  if (changed?.upsertedId !== undefined) summary.set('upserted', changed.upsertedId);
  return summary;
}

function shown(changed: Changed | undefined, showsNew: boolean, project: Projection | undefined): Encodable {
  const bytes = showsNew ? changed?.after : changed?.before?.bytes;
  if (bytes === undefined) return null;
  return new RawDoc(project === undefined ? bytes : encode(project(decode(bytes))));
}
