import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedMongo, startEmbeddedMongo, type UserOptions } from '../index.js';
import { deriveCredentials } from '../sign-in/scram.js';
import { MAX_STRANGER_BYTES, OP_MSG } from '../wire/frames.js';
import { BSON, codeOf, MongoClient } from './harness.js';
import { startProcess } from './server-process.js';

const USER = { name: 'cord', password: 'päss,word=&/1' };
const OF_DATABASES = ['one', 'other'].map((name) => ({ name, password: `of-${name}`, database: `cord_${name}` }));
let folder: string;
let server: EmbeddedMongo;
const clients: { close: () => Promise<void> }[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-sign-in-'));
  server = await startEmbeddedMongo({ port: 0, dataDir: join(folder, 'data'), users: [USER, ...OF_DATABASES] });
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

function clientFor(name: string, password: string, options: object = {}) {
  const uri = `mongodb://${encodeURIComponent(name)}:${encodeURIComponent(password)}@127.0.0.1:${server.port}/?authSource=admin`;
  const client = new MongoClient(uri, options);
  clients.push(client);
  return client;
}

function stranger() {
  const client = new MongoClient(server.uri);
  clients.push(client);
  return client;
}

describe('sign-in by SCRAM-SHA-256', () => {
  it('admits the user with the negotiated mechanism and with the named one', async () => {
    for (const options of [{}, { authMechanism: 'SCRAM-SHA-256' }]) {
      const client = clientFor(USER.name, USER.password, options);
      await client
        .db('a')
        .collection('things')
        .insertOne({ from: JSON.stringify(options) });
      expect(
        await client
          .db('a')
          .collection('things')
          .countDocuments({ from: JSON.stringify(options) }),
      ).toBe(1);
    }
  });

  it('admits mongoose with many connections', async () => {
    const uri = `mongodb://${USER.name}:${encodeURIComponent(USER.password)}@127.0.0.1:${server.port}/?authSource=admin`;
    const connection = await mongoose.createConnection(uri, { dbName: 'a', maxPoolSize: 10 }).asPromise();
    const things = connection.collection('many');
    await Promise.all(Array.from({ length: 50 }, (_, n) => things.insertOne({ n })));
    expect(await things.countDocuments()).toBe(50);
    await connection.close();
  });

  it.each([
    ['a wrong password', USER.name, 'wrong'],
    ['an unknown name', 'nobody', USER.password],
    ['a name that holds the other', 'cord2', USER.password],
  ])('rejects %s with code 18, without naming what was wrong', async (_what, name, password) => {
    for (const authMechanism of [undefined, 'SCRAM-SHA-256'] as const) {
      const options = authMechanism === undefined ? {} : { authMechanism };
      const error = await clientFor(name, password, options)
        .connect()
        .catch((reason) => reason);
      expect(error).toMatchObject({ code: 18, codeName: 'AuthenticationFailed', errmsg: 'Authentication failed.' });
    }
  });

  it('rejects another mechanism, and another authSource', async () => {
    expect(await codeOf(clientFor(USER.name, USER.password, { authMechanism: 'SCRAM-SHA-1' }).connect())).toBe(334);
    expect(await codeOf(clientFor(USER.name, USER.password, { authSource: 'other' }).connect())).toBe(18);
  });

  it('allows only ping and hello before it; any other command gets 13 and changes nothing', async () => {
    const client = stranger();
    expect((await client.db('a').command({ ping: 1 })).ok).toBe(1);
    const hello = await client.db('admin').command({ hello: 1 });
    expect(hello).toMatchObject({ isWritablePrimary: true });
    expect(hello).not.toHaveProperty('saslSupportedMechs');
    const db = client.db('a');
    const commands: object[] = [
      { find: 'things' },
      { insert: 'things', documents: [{ a: 1 }] },
      { update: 'things', updates: [{ q: {}, u: { $set: { a: 1 } }, multi: true }] },
      { delete: 'things', deletes: [{ q: {}, limit: 0 }] },
      { aggregate: 'things', pipeline: [], cursor: {} },
      { drop: 'things' },
      { dropDatabase: 1 },
      { listDatabases: 1 },
      { getMore: BSON.Long.fromNumber(1), collection: 'things' },
      { serverStatus: 1 },
    ];
    for (const command of commands) expect(await codeOf(db.command(command))).toBe(13);
    const owner = clientFor(USER.name, USER.password);
    expect(await owner.db('a').collection('things').countDocuments({ a: 1 })).toBe(0);
  });

  it('ends with logout, and fails for an interrupted or repeated conversation', async () => {
    const client = clientFor(USER.name, USER.password, { maxPoolSize: 1 });
    const db = client.db('admin');
    expect(await codeOf(db.command({ listDatabases: 1 }))).toBe('no error');
    await db.command({ logout: 1 });
    expect(await codeOf(db.command({ listDatabases: 1 }))).toBe(13);
    const proof = { saslContinue: 1, conversationId: 1, payload: new BSON.Binary(Buffer.from('c=biws,r=x,p=eA==')) };
    expect(await codeOf(db.command(proof))).toBe(17);
    const start = {
      saslStart: 1,
      mechanism: 'SCRAM-SHA-256',
      payload: new BSON.Binary(Buffer.from('n,,n=cord,r=abc')),
    };
    const { conversationId } = await db.command(start);
    expect(await codeOf(db.command({ ...proof, conversationId }))).toBe(18);
    expect(await codeOf(db.command({ ...proof, conversationId }))).toBe(17);
    await db.command(start);
    expect(await codeOf(db.command({ listDatabases: 1 }))).toBe(13);
  });

  it.each(['', 'n=cord,r=abc', 'p=tls-unique,,n=cord,r=abc', 'n,,n=cord', 'n,,n=cord,r=', 'n,,m=ext,n=cord,r=abc'])(
    'rejects the first message %j',
    async (text) => {
      const payload = new BSON.Binary(Buffer.from(text));
      expect(await codeOf(stranger().db('admin').command({ saslStart: 1, mechanism: 'SCRAM-SHA-256', payload }))).toBe(
        18,
      );
    },
  );

  it('stores salted keys, different each time, and no password', async () => {
    const [one, other] = await Promise.all([deriveCredentials('u', 'secret'), deriveCredentials('u', 'secret')]);
    expect(one.storedKey.equals(other.storedKey)).toBe(false);
    expect(Object.values(one).map(String).join()).not.toContain('secret');
  });
});

describe('a user of one database', () => {
  const own = () => clientFor('one', 'of-one');
  /** Every command that this server has, as far as it may be given; what is not one of sign-in or presence. */
  const refusedElsewhere: object[] = [
    { find: 'things' },
    { insert: 'things', documents: [{ a: 1 }] },
    { update: 'things', updates: [{ q: {}, u: { $set: { a: 1 } }, multi: true }] },
    { delete: 'things', deletes: [{ q: {}, limit: 0 }] },
    { findAndModify: 'things', query: {}, remove: true },
    { aggregate: 'things', pipeline: [], cursor: {} },
    { count: 'things' },
    { distinct: 'things', key: 'a' },
    { explain: { find: 'things' } },
    { create: 'others' },
    { createIndexes: 'things', indexes: [{ key: { a: 1 }, name: 'a_1' }] },
    { listIndexes: 'things' },
    { dropIndexes: 'things', index: '*' },
    { listCollections: 1 },
    { drop: 'things' },
    { killCursors: 'things', cursors: [BSON.Long.fromNumber(1)] },
  ];
  const onlyForOperators: object[] = [
    { dropDatabase: 1 },
    { listDatabases: 1 },
    { serverStatus: 1 },
    { cordSnapshot: 1 },
  ];

  it('reads, writes and creates indexes in it', async () => {
    const things = own().db('cord_one').collection('things');
    await things.createIndex({ a: 1 });
    await things.insertMany(Array.from({ length: 300 }, (_, a) => ({ a })));
    expect((await things.find({}, { batchSize: 100 }).toArray()).length).toBe(300);
    expect(await things.countDocuments({ a: { $gte: 100 } })).toBe(200);
    expect(await things.indexExists('a_1')).toBe(true);
  });

  it('gets 13 for every command in another database, which changes nothing', async () => {
    const operator = clientFor(USER.name, USER.password);
    const theirs = operator.db('cord_other').collection('things');
    await theirs.insertOne({ _id: 'kept' as never, a: 0 });
    for (const database of ['cord_other', 'admin', 'cord_on', 'cord_one2']) {
      const db = own().db(database);
      for (const command of [...refusedElsewhere, ...onlyForOperators])
        expect(await codeOf(db.command(command)), `${database} ${JSON.stringify(command)}`).toBe(13);
    }
    for (const command of onlyForOperators) expect(await codeOf(own().db('cord_one').command(command))).toBe(13);
    expect(await theirs.find().toArray()).toEqual([{ _id: 'kept', a: 0 }]);
    expect(await operator.db('cord_other').listCollections().toArray()).toHaveLength(1);
    // The other one has it, and not this one's.
    const other = clientFor('other', 'of-other');
    expect(await other.db('cord_other').collection('things').countDocuments()).toBe(1);
    expect(await codeOf(other.db('cord_one').collection('things').countDocuments())).toBe(13);
  });

  it('cannot read or kill another user’s cursor by its id', async () => {
    const operator = clientFor(USER.name, USER.password);
    const theirs = operator.db('cord_other').collection('many');
    await theirs.insertMany(Array.from({ length: 50 }, (_, a) => ({ a })));
    const opened = await operator.db('cord_other').command({ find: 'many', batchSize: 10 });
    const { id } = opened.cursor;
    const long = BSON.Long.fromString(String(id));
    expect(await codeOf(own().db('cord_one').command({ getMore: long, collection: 'many' }))).toBe(13);
    const killed = await own()
      .db('cord_one')
      .command({ killCursors: 'many', cursors: [long] });
    expect(killed).toMatchObject({ cursorsKilled: [] });
    const rest = await operator.db('cord_other').command({ getMore: long, collection: 'many' });
    expect(rest.cursor.nextBatch).toHaveLength(40);
  });

  it('signs in only with its own password', async () => {
    expect(await codeOf(clientFor('one', 'of-other').connect())).toBe(18);
    expect(await codeOf(clientFor('one', USER.password).connect())).toBe(18);
  });

  it.each([
    ['two of one name', [OF_DATABASES[0], OF_DATABASES[0]], /two users have the name 'one'/],
    ['an empty password', [{ name: 'a', password: '' }], /needs a name and a password/],
  ])('is rejected at the start: %s', async (_says, users, reason) => {
    const dataDir = join(folder, 'refused');
    await expect(startEmbeddedMongo({ port: 0, dataDir, users: users as UserOptions[] })).rejects.toThrow(reason);
  });
});

describe('a message before the sign-in', () => {
  /** A ping of exactly so many bytes, as OP_MSG. */
  function pingOf(bytes: number): Buffer {
    const ping = (comment: string) => Buffer.from(BSON.serialize({ ping: 1, $db: 'admin', comment }));
    const head = Buffer.alloc(21);
    head.writeInt32LE(bytes);
    head.writeInt32LE(OP_MSG, 12);
    return Buffer.concat([head, ping('x'.repeat(bytes - head.length - ping('').length))]);
  }

  /** What a connection without a user gets for it: the length of the reply, or nothing when it is closed. */
  async function replyTo(message: Buffer): Promise<number | undefined> {
    const socket = createConnection(server.port, '127.0.0.1');
    const reply = new Promise<number | undefined>((resolve) => {
      socket.once('data', (bytes) => resolve(bytes.readInt32LE(0)));
      socket.once('close', () => resolve(undefined));
      socket.once('error', () => undefined);
    });
    socket.write(message);
    const length = await reply;
    socket.destroy();
    return length;
  }

  it('may have a million bytes; a longer one closes the connection at its first four', async () => {
    expect(await replyTo(pingOf(MAX_STRANGER_BYTES))).toBeGreaterThan(21);
    expect(await replyTo(pingOf(MAX_STRANGER_BYTES + 1).subarray(0, 4))).toBeUndefined();
    // Signed in, a document of several megabytes is taken.
    const big = { _id: 'big' as never, text: 'x'.repeat(4_000_000) };
    const things = clientFor('one', 'of-one').db('cord_one').collection('big');
    await things.insertOne(big);
    expect((await things.findOne({ _id: big._id }))?.text).toHaveLength(4_000_000);
  });
});

describe('the program', () => {
  it('takes passwords from files, and requires none when started without users', async () => {
    const file = join(folder, 'password');
    await writeFile(file, 'from-a-file\n', { mode: 0o600 });
    const own = join(folder, 'password-of-one');
    await writeFile(own, 'of-one\n', { mode: 0o600 });
    const users = ['--user', 'cord', '--password-file', file, '--user', 'one@cord_one', '--password-file', own];
    const guarded = await startProcess(join(folder, 'guarded'), [], users);
    const bare = await startProcess(join(folder, 'guarded-not'));
    const open = await MongoClient.connect(bare.uri);
    expect(await codeOf(open.db('a').command({ listDatabases: 1 }))).toBe('no error');
    const closed = await MongoClient.connect(guarded.uri);
    expect(await codeOf(closed.db('a').command({ listDatabases: 1 }))).toBe(13);
    const owner = await MongoClient.connect(guarded.uri.replace('//', '//cord:from-a-file@'));
    expect(await codeOf(owner.db('a').command({ listDatabases: 1 }))).toBe('no error');
    const one = await MongoClient.connect(guarded.uri.replace('//', '//one:of-one@'));
    expect(await codeOf(one.db('cord_one').collection('things').insertOne({ a: 1 }))).toBe('no error');
    expect(await codeOf(one.db('cord_other').collection('things').insertOne({ a: 1 }))).toBe(13);
    for (const client of [open, closed, owner, one]) await client.close();
    for (const { child, exited } of [bare, guarded]) {
      child.kill('SIGTERM');
      expect(await exited).toBe(0);
    }
  });

  it('reports a user without --password-file', async () => {
    await expect(startProcess(join(folder, 'half'), [], ['--user', 'cord'])).rejects.toThrow(/--password-file/);
  });
});
