import { Timestamp } from '../../embedded-mongo/bson/values.js';
import { CursorRegistry } from '../../embedded-mongo/commands/cursors.js';
import { dispatch } from '../../embedded-mongo/commands/dispatch.js';
import { Database } from '../../embedded-mongo/engine/database.js';
import { Store } from '../../embedded-mongo/engine/store.js';
import { ERROR_CODES, MongoError } from '../../embedded-mongo/errors.js';
import { MAX_MESSAGE_BYTES } from '../../embedded-mongo/wire/frames.js';
import { listen } from '../../embedded-mongo/wire/server.js';

/** A read that a client sent, with the fields of its read concern. */
export interface Read {
  namespace: string;
  concern: Record<string, unknown>;
}

const INSTANT = new Timestamp({ t: 1_700_000_000, i: 1 });

/**
 * Stands in for a replica set with one member: it accepts snapshot reads, as MongoDB does, and records every `find`.
 * @param closed a database that its users may not read
 */
export async function startReplicaSet(dataDir: string, closed?: string) {
  const store = await Store.open(dataDir);
  const server = {
    ...{ store, database: await Database.load(store), cursors: new CursorRegistry(), startedMs: 0, users: undefined },
    ...{ warn: () => undefined, connections: () => 0, counters: new Map() },
  };
  const reads: Read[] = [];
  const wire = await listen({
    port: 0,
    maxBytes: () => MAX_MESSAGE_BYTES,
    log: () => undefined,
    handle: async (command, session) => {
      const [name = ''] = command.keys();
      const concern = Object.fromEntries((command.get('readConcern') as Map<string, unknown> | undefined) ?? []);
      if (name === 'find') reads.push({ namespace: `${command.get('$db')}.${command.get('find')}`, concern });
      // Not MongoDB's command.
      if (name === 'cordSnapshot') throw new MongoError(ERROR_CODES.CommandNotFound, 'no such command');
      if (name === 'find' && command.get('$db') === closed)
        throw new MongoError(ERROR_CODES.Unauthorized, `not authorized on ${closed}`);
      for (const ofSet of ['readConcern', 'txnNumber']) command.delete(ofSet);
      const reply = await dispatch(server, command, session);
      const host = `127.0.0.1:${wire.port}`;
      if (reply.has('helloOk')) reply.set('setName', 'cord').set('hosts', [host]).set('me', host).set('primary', host);
      if (concern.level === 'snapshot') (reply.get('cursor') as Map<string, unknown>).set('atClusterTime', INSTANT);
      return reply;
    },
  });
  const stop = async () => {
    await wire.close();
    await server.cursors.close();
    await store.close();
  };
  return { uri: `mongodb://127.0.0.1:${wire.port}/?replicaSet=cord`, reads, stop };
}
