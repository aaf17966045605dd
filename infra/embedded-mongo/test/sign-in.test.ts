import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedMongo, startEmbeddedMongo } from '../index.js';
import { deriveCredentials } from '../sign-in/scram.js';
import { BSON, codeOf, MongoClient } from './harness.js';
import { startProcess } from './server-process.js';

const USER = { name: 'cord', password: 'päss,word=&/1' };
let folder: string;
let server: EmbeddedMongo;
const clients: { close: () => Promise<void> }[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-sign-in-'));
  server = await startEmbeddedMongo({ port: 0, dataDir: join(folder, 'data'), user: USER });
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
  it('lets the user in, with the mechanism that the driver finds by itself and by name', async () => {
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

  it('lets mongoose in, which opens many connections', async () => {
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
  ])('refuses %s with 18 and no word on which it was', async (_says, name, password) => {
    for (const authMechanism of [undefined, 'SCRAM-SHA-256'] as const) {
      const options = authMechanism === undefined ? {} : { authMechanism };
      const error = await clientFor(name, password, options)
        .connect()
        .catch((reason) => reason);
      expect(error).toMatchObject({ code: 18, codeName: 'AuthenticationFailed', errmsg: 'Authentication failed.' });
    }
  });

  it('refuses another mechanism, and another database of users', async () => {
    expect(await codeOf(clientFor(USER.name, USER.password, { authMechanism: 'SCRAM-SHA-1' }).connect())).toBe(334);
    expect(await codeOf(clientFor(USER.name, USER.password, { authSource: 'other' }).connect())).toBe(18);
  });

  it('answers a stranger only whether it is there: any other command, and none of it done, is 13', async () => {
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

  it('ends with logout; a cut or repeated conversation signs nobody in', async () => {
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
    'refuses the first message %j',
    async (text) => {
      const payload = new BSON.Binary(Buffer.from(text));
      expect(await codeOf(stranger().db('admin').command({ saslStart: 1, mechanism: 'SCRAM-SHA-256', payload }))).toBe(
        18,
      );
    },
  );

  it('keeps nothing with which one could sign in: keys are salted, each time anew', async () => {
    const [one, other] = await Promise.all([deriveCredentials('u', 'secret'), deriveCredentials('u', 'secret')]);
    expect(one.storedKey.equals(other.storedKey)).toBe(false);
    expect(Object.values(one).map(String).join()).not.toContain('secret');
  });
});

describe('the program', () => {
  it('takes the password from a file, and asks for nothing when started without', async () => {
    const file = join(folder, 'password');
    await writeFile(file, 'from-a-file\n', { mode: 0o600 });
    const guarded = await startProcess(join(folder, 'guarded'), [], ['--user', 'cord', '--password-file', file]);
    const bare = await startProcess(join(folder, 'guarded-not'));
    const open = await MongoClient.connect(bare.uri);
    expect(await codeOf(open.db('a').command({ listDatabases: 1 }))).toBe('no error');
    const closed = await MongoClient.connect(guarded.uri);
    expect(await codeOf(closed.db('a').command({ listDatabases: 1 }))).toBe(13);
    const owner = await MongoClient.connect(guarded.uri.replace('//', '//cord:from-a-file@'));
    expect(await codeOf(owner.db('a').command({ listDatabases: 1 }))).toBe('no error');
    for (const client of [open, closed, owner]) await client.close();
    for (const { child, exited } of [bare, guarded]) {
      child.kill('SIGTERM');
      expect(await exited).toBe(0);
    }
  });

  it('says so when one of the two is missing', async () => {
    await expect(startProcess(join(folder, 'half'), [], ['--user', 'cord'])).rejects.toThrow(/--password-file/);
  });
});
