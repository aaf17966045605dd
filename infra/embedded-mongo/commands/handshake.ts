import { MAX_DOCUMENT_BYTES } from '../bson/encode.js';
import { int, long, type Value } from '../bson/values.js';
import { MAX_MESSAGE_BYTES } from '../wire/frames.js';
import type { Call, CommandHandler } from './context.js';
import { okReply } from './replies.js';
import { handshakeFields } from './sign-in.js';

/** The version of MongoDB whose behaviour is implemented; wire version 21 is 7.0. */
const MONGODB_VERSION = '7.0.0';
const MAX_WIRE_VERSION = 21;

/** No setName and no topologyVersion: a standalone, so drivers retry no writes and stream no heartbeats. */
export const hello: CommandHandler = (call) =>
  okReply({
    ...(call.name === 'hello' ? { isWritablePrimary: true } : { ismaster: true }),
    helloOk: true,
    maxBsonObjectSize: int(MAX_DOCUMENT_BYTES),
    maxMessageSizeBytes: int(MAX_MESSAGE_BYTES),
    maxWriteBatchSize: int(100_000),
    localTime: new Date(),
    logicalSessionTimeoutMinutes: int(30),
    connectionId: int(call.session.connectionId),
    minWireVersion: int(0),
    maxWireVersion: int(MAX_WIRE_VERSION),
    readOnly: false,
    ...handshakeFields(call),
  });

export const ping: CommandHandler = () => okReply();

/** Sessions carry no state on one node. */
export const endSessions: CommandHandler = () => okReply();

export const buildInfo: CommandHandler = () =>
  okReply({
    version: MONGODB_VERSION,
    versionArray: MONGODB_VERSION.split('.').map(Number).concat(0).map(int),
    gitVersion: 'embedded',
    modules: ['cord-embedded'],
    bits: int(64),
    debug: false,
    maxBsonObjectSize: int(MAX_DOCUMENT_BYTES),
    storageEngines: ['lmdb'],
  });

export const serverStatus: CommandHandler = ({ server }: Call) => {
  const counters = new Map<string, Value>(
    [...server.counters].sort().map(([name, count]) => [name, long(BigInt(count))]),
  );
  return okReply({
    process: 'embedded-mongo',
    version: MONGODB_VERSION,
    pid: long(BigInt(process.pid)),
    uptimeMillis: long(BigInt(Math.round(performance.now() - server.startedMs))),
    localTime: new Date(),
    connections: new Map<string, Value>([['current', int(server.connections())]]),
    cursors: new Map<string, Value>([['open', int(server.cursors.size)]]),
    commits: long(BigInt(server.store.commits)),
    commands: counters,
  });
};

/** Not a command of MongoDB: a snapshot of the whole store for `npx cord data export`, in a folder on the server's machine. */
export const cordSnapshot: CommandHandler = async ({ server }) => okReply({ folder: await server.store.snapshot() });
