/**
 * Stands in for mongod in the compose proof: `store.ts HOST` acts as one member of the replica set `cord`, with TLS,
 * users, a `hello` that names the set, and its own version. The first member has the data, in the embedded server; the
 * others are secondaries that nobody reads. `store.ts init` waits until each user can sign in at the primary.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { startEmbeddedMongo } from '@cord/embedded-mongo';
import { mongo } from 'mongoose';
import { STORE_VERSION } from './names.ts';

const { BSON } = mongo;
const HOSTS = ['mongo-0', 'mongo-1', 'mongo-2'].map((host) => `${host}:27017`);
const PORT = 27_017;
const INSIDE_PORT = 27_018;
const HEALTH_PORT = 8_081;
const SECRETS = '/run/secrets';
/** Offset of a message's body, after the header and the fields of OP_MSG or OP_REPLY before it. */
const OP_REPLY = 1;
const OP_MSG = 2_013;
const BODY_AT = { [OP_REPLY]: 36, [OP_MSG]: 21 } as const;

const read = (name: string) => readFileSync(`${SECRETS}/${name}`, 'utf8');
const users: Record<string, string> = JSON.parse(read('users.json'));
const [role = ''] = process.argv.slice(2);
await (role === 'init' ? init() : serve(role));

async function init() {
  for (const [user, password] of Object.entries({ root: read('root').trim(), ...users })) {
    const uri = `mongodb://${user}:${password}@${HOSTS}/?replicaSet=cord&authSource=admin&tls=true&tlsCAFile=${SECRETS}/ca.crt`;
    const client = await new mongo.MongoClient(uri).connect();
    await client.db('admin').command({ ping: 1 });
    await client.close();
  }
}

/** @param host of this member */
async function serve(host: string) {
  const own = Object.entries(users).map(([name, password]) => ({
    ...{ name, password },
    // Jobs use all databases.
    ...(name === 'jobs' ? {} : { database: `cord_${name}` }),
  }));
  const root = { name: 'root', password: read('root').trim() };
  const store = await startEmbeddedMongo({
    port: INSIDE_PORT,
    dataDir: '/data/db',
    users: [root, ...own],
    warn: console.error,
  });
  const [cert, key, ca] = [read('tls.pem'), read('tls.pem'), read('ca.crt')];
  const server = createTlsServer({ cert, key, ca }, (client) => {
    const inside = connect(INSIDE_PORT, '127.0.0.1');
    client.pipe(inside);
    whole(inside, (message) => client.write(asMember(message, `${host}:${PORT}`)));
    inside.on('close', () => client.destroy());
    client.on('close', () => inside.destroy());
    for (const socket of [client, inside]) socket.on('error', () => socket.destroy());
  }).listen(PORT);
  const health = createServer((_request, response) => response.end()).listen(HEALTH_PORT, '127.0.0.1');
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, async () => {
      server.close();
      health.close();
      await store.close();
      process.exit(0);
    });
}

/** Passes on each message in one piece. */
function whole(socket: Socket, take: (message: Buffer) => void) {
  let waiting = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length >= 4 && waiting.length >= waiting.readInt32LE(0)) {
      const length = waiting.readInt32LE(0);
      take(waiting.subarray(0, length));
      waiting = waiting.subarray(length);
    }
  });
}

/** Rewrites a response to `hello` or `buildInfo` as a member's; returns any other unchanged. */
function asMember(message: Buffer, me: string): Buffer {
  const at = BODY_AT[message.readInt32LE(12) as keyof typeof BODY_AT];
  if (at === undefined || !(message.includes('helloOk') || message.includes('versionArray'))) return message;
  const answer = BSON.deserialize(message.subarray(at), { promoteValues: false, promoteLongs: false });
  if (answer.versionArray !== undefined) {
    const parts = STORE_VERSION.split('.').map((part) => new BSON.Int32(part));
    Object.assign(answer, { version: STORE_VERSION, versionArray: [...parts, new BSON.Int32(0)] });
  } else if (answer.helloOk !== undefined) nameSet(answer, me);
  else return message;
  const changed = Buffer.concat([message.subarray(0, at), BSON.serialize(answer)]);
  changed.writeInt32LE(changed.length, 0);
  return changed;
}

/** Turns a response to `hello` into that of a member of the set. */
function nameSet(hello: Record<string, unknown>, me: string) {
  const isPrimary = me === HOSTS[0];
  // Without sessions a driver sends no retryable writes, which the embedded server lacks.
  delete hello.logicalSessionTimeoutMinutes;
  Object.assign(hello, {
    setName: 'cord',
    setVersion: new BSON.Int32(1),
    hosts: HOSTS,
    primary: HOSTS[0],
    me,
    secondary: !isPrimary,
  });
  for (const name of ['isWritablePrimary', 'ismaster']) if (name in hello) hello[name] = isPrimary;
}
