import type { EncodableMap } from '../bson/encode.js';
import { toDouble } from '../bson/numbers.js';
import { type Doc, isDoc, isNumber } from '../bson/values.js';
import {
  GENERIC_OPTIONS,
  HANDSHAKE,
  REFUSED_OPTIONS,
  SUPPORTED_COMMANDS,
  TRANSACTION_OPTIONS,
} from '../capabilities.js';
import { badValue, ERROR_CODES, MongoError } from '../errors.js';
import type { Session } from '../sign-in/session.js';
import { checkDatabaseName, checkFields, countArgument } from './arguments.js';
import {
  create,
  createIndexes,
  drop,
  dropDatabase,
  dropIndexes,
  listCollections,
  listDatabases,
  listIndexes,
} from './catalog.js';
import type { Call, CommandHandler, ServerContext } from './context.js';
import { explain } from './explain.js';
import { findAndModify } from './find-and-modify.js';
import { buildInfo, cordSnapshot, endSessions, hello, ping, serverStatus } from './handshake.js';
import { aggregate, count, distinct, find, getMore, killCursors } from './read.js';
import { logout, requireAllowed, saslContinue, saslStart } from './sign-in.js';
import { deletes, insert, update } from './write.js';

export const HANDLERS: Readonly<Record<string, CommandHandler>> = {
  hello,
  isMaster: hello,
  ismaster: hello,
  ping,
  buildInfo,
  buildinfo: buildInfo,
  serverStatus,
  cordSnapshot,
  endSessions,
  saslStart,
  saslContinue,
  logout,
  listDatabases,
  dropDatabase,
  create,
  drop,
  listCollections,
  createIndexes,
  listIndexes,
  dropIndexes,
  insert,
  find,
  getMore,
  killCursors,
  update,
  delete: deletes,
  findAndModify,
  findandmodify: findAndModify,
  aggregate,
  count,
  distinct,
  explain,
};

/** Executes one command. Its name and every option must be in the tables, so nothing is ignored silently. */
export async function dispatch(server: ServerContext, command: Doc, session: Session): Promise<EncodableMap> {
  const name = command.keys().next().value ?? '';
  const handler = Object.hasOwn(HANDLERS, name) ? HANDLERS[name] : undefined;
  refuseTransactions(command);
  if (handler === undefined) throw new MongoError(ERROR_CODES.CommandNotFound, `no such command: '${name}'`);
  const db = checkDatabaseName(command.get('$db'));
  const own = SUPPORTED_COMMANDS[name] ?? [];
  if (own !== HANDSHAKE) checkFields(name, command, [name, ...own, ...GENERIC_OPTIONS], REFUSED_OPTIONS);
  checkConcerns(command);
  server.counters.set(name, (server.counters.get(name) ?? 0) + 1);
  const maxTimeMs = countArgument(name, command, 'maxTimeMS') ?? 0;
  const call: Call = {
    server,
    name,
    db,
    command,
    session,
    limitMs: maxTimeMs === 0 ? undefined : maxTimeMs,
  };
  requireAllowed(call);
  return handler(call);
}

function refuseTransactions(command: Doc): void {
  if (!TRANSACTION_OPTIONS.some((option) => command.has(option))) return;
  throw new MongoError(
    ERROR_CODES.IllegalOperation,
    'Transaction numbers are only allowed on a replica set member or mongos',
  );
}

/** Every acknowledged write is on disk and visible to every read, so each weaker concern is met; a stronger one is refused. */
function checkConcerns(command: Doc): void {
  const read = command.get('readConcern');
  const level = isDoc(read) ? read.get('level') : undefined;
  if (isDoc(read))
    for (const field of read.keys())
      if (field !== 'level') throw new MongoError(40415, `BSON field 'readConcern.${field}' is an unknown field.`);
  if (level !== undefined && !['local', 'available', 'majority'].includes(level as string)) {
    throw new MongoError(
      ERROR_CODES.CommandNotSupported,
      `read concern level '${String(level)}' is not supported by the embedded server`,
    );
  }
  const write = command.get('writeConcern');
  if (!isDoc(write)) return;
  for (const field of write.keys()) {
    if (!['w', 'j', 'wtimeout', 'fsync', 'provenance'].includes(field))
      throw new MongoError(40415, `BSON field 'writeConcern.${field}' is an unknown field.`);
  }
  const w = write.get('w');
  if (isNumber(w) && toDouble(w) > 1) throw badValue("cannot use 'w' > 1 when a host is not replicated");
  if (typeof w === 'string' && w !== 'majority') throw new MongoError(79, `No write concern mode named '${w}' found`);
}
