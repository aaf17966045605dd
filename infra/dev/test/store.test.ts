import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scratch } from '@cord/kit/testing/scratch';
import mongoose from 'mongoose';
import { afterEach, expect, test, vi } from 'vitest';
import { childrenOf } from '../../test/kit/proc.ts';
import { until } from '../../test/kit/until.ts';
import { isReady } from '../starter/mongod.ts';
import { freePorts } from '../starter/ports.ts';
import { SERVICES } from '../starter/services.ts';
import { chooseStore } from '../starter/store.ts';
import { runningStoreUri, withoutPassword, withPassword } from '../starter/store-address.ts';
import { storeOf } from '../starter/store-of.ts';
import { Supervised } from '../starter/supervised.ts';

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function folderOf(): Promise<string> {
  const made = await scratch();
  open.push(made.stop);
  return made.folder;
}

async function connected(uri: string) {
  const client = await mongoose.mongo.MongoClient.connect(uri, { serverSelectionTimeoutMS: 5_000 });
  open.push(() => client.close());
  return client;
}

/** Without mongod on PATH the embedded server is chosen. */
const env = { PATH: '' };

async function startStore(dataDir: string) {
  const [port] = await freePorts(1);
  const store = await chooseStore({ env, dataDir, port });
  const program = store.process;
  if (!program) throw new Error('the ladder ends at a server of our own');
  const process = new Supervised({
    ...program,
    name: 'store',
    service: 'store',
    env: {},
    logFile: join(dataDir, 'store.log'),
    report: () => undefined,
    onChange: () => undefined,
  });
  open.push(() => process.stop(5_000));
  await process.start();
  return { store, process };
}

async function count(uri: string): Promise<number | string> {
  const client = new mongoose.mongo.MongoClient(uri, { serverSelectionTimeoutMS: 5_000 });
  try {
    return await client.db('a').collection('things').countDocuments();
  } catch (error) {
    return (error as { codeName?: string }).codeName ?? String(error);
  } finally {
    await client.close();
  }
}

test('our own store requires a password, readable by the owner only and absent from shown addresses', async () => {
  const dataDir = await folderOf();
  const { store } = await startStore(dataDir);
  expect(await count(store.uri)).toBe(0);
  expect(await count(store.address)).toBe('Unauthorized');
  const file = join(dataDir, 'secrets/store');
  const password = await readFile(file, 'utf8');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(store.uri).toContain(password);
  expect(JSON.stringify([store.address, store.process?.args])).not.toContain(password);
});

test('each service’s user reads and writes its own database of our own store, and no other', async () => {
  const dataDir = await folderOf();
  const { store } = await startStore(dataDir);
  const operator = await connected(store.uri);
  for (const service of SERVICES) await operator.db(`cord_${service}`).collection('things').insertOne({ of: service });
  for (const service of SERVICES) {
    const client = await connected(store.uriFor(service));
    for (const other of SERVICES) {
      const things = client.db(`cord_${other}`).collection('things');
      const work = [() => things.findOne(), () => things.updateOne({}, { $set: { by: service } })];
      const codes = await Promise.all(
        work.map((each) =>
          each().then(
            () => 'done',
            ({ code }) => code,
          ),
        ),
      );
      expect(codes, `${service} in cord_${other}`).toEqual(other === service ? ['done', 'done'] : [13, 13]);
    }
  }
  for (const service of SERVICES)
    expect(
      await operator
        .db(`cord_${service}`)
        .collection('things')
        .findOne({}, { projection: { _id: 0 } }),
    ).toEqual({
      of: service,
      by: service,
    });
  const passwords = await readdir(join(dataDir, 'secrets'));
  expect(passwords.sort()).toEqual(['store', ...SERVICES.map((service: string) => `store-${service}`)].sort());
  for (const name of passwords) expect((await stat(join(dataDir, 'secrets', name))).mode & 0o777).toBe(0o600);
});

test('run.json has the store’s address without the password, which its readers add', async () => {
  const dataDir = await folderOf();
  await expect(runningStoreUri(dataDir, {})).rejects.toThrow(`no system runs on ${dataDir}`);
  const { store } = await startStore(dataDir);
  const write = (facts: object) => writeFile(join(dataDir, 'run.json'), JSON.stringify(facts));
  await write({ mongodbUri: store.address, services: { store: [{ pid: 1 }] } });
  expect(await runningStoreUri(dataDir, {})).toBe(store.uri);
  // A store at MONGODB_URI belongs to its operator.
  const given = 'mongodb://me:my@db.example/?tls=true';
  await write({ mongodbUri: withoutPassword(given), services: {} });
  expect(await runningStoreUri(dataDir, {})).toBe('mongodb://db.example/?tls=true');
  expect(await runningStoreUri(dataDir, { MONGODB_URI: given })).toBe(given);
  expect((await chooseStore({ env: { MONGODB_URI: given }, dataDir, port: 1 })).address).not.toContain('my@');
  expect(withPassword('mongodb://127.0.0.1:1/?replicaSet=cord', { name: 'cord', password: 'p' })).toBe(
    'mongodb://cord:p@127.0.0.1:1/?replicaSet=cord&authSource=admin',
  );
});

test('a start on damaged data names the file, the damage, and the command that restores the data', async () => {
  const dataDir = await folderOf();
  const { process } = await startStore(dataDir);
  await process.stop(5_000);
  const file = join(dataDir, 'store/store.mdb');
  await truncate(file, 5_000);
  const refusal = (await startStore(dataDir).catch((error) => error)) as Error;
  expect(refusal).toMatchObject({ name: 'StartError' });
  expect(refusal.message).toMatch(/the data file .*store\.mdb is damaged: it ends at 5000 bytes/);
  expect(refusal.message).toContain(file);
  expect(refusal.message).toMatch(/npx cord data import FILE/);
  expect((await stat(file)).size).toBe(5_000);
  // A command on the stopped system starts the same store.
  await expect(storeOf(dataDir, env)).rejects.toThrow(refusal.message.slice('store exited with code 1. '.length));
});

/** Simulates a mongod's responses, from the state of its replica set and users (its manual: localhost exception). */
function mongodStandIn(...made: { name: string; pwd: string; roles?: unknown }[]) {
  const users = new Map(made.map((user) => [user.name, user]));
  /** A member of a set configured for another address is REMOVED. */
  const state = { host: '127.0.0.1:1', members: [] as { _id: number; host: string }[], version: 1, users };
  const refused = (code: number) => Object.assign(new Error(`code ${code}`), { code });
  const clientFor = async (uri: string) => {
    const { username, password } = new URL(uri);
    if (username && state.users.get(username)?.pwd !== password) throw refused(18);
    const command = async (body: Record<string, unknown>) => {
      const [verb] = Object.keys(body) as [string];
      const isMember = state.members.some(({ host }) => host === state.host);
      if (verb === 'hello') return isMember ? { isWritablePrimary: true, setName: 'cord' } : {};
      if (verb === 'ping') return {};
      if (state.users.size > 0 && !username) throw refused(13);
      if (verb === 'replSetGetConfig') {
        if (!username) throw refused(13);
        if (state.members.length === 0) throw refused(94);
        return { config: { _id: 'cord', version: state.version, members: state.members } };
      }
      if (verb === 'replSetInitiate' && state.members.length > 0) throw refused(23);
      if (verb === 'replSetReconfig' && !(body.force && isMember === false)) throw refused(103);
      if (verb === 'replSetInitiate' || verb === 'replSetReconfig')
        Object.assign(state, body[verb], { version: state.version + 10_000 });
      const name = body[verb] as string;
      if (verb === 'createUser' && state.users.has(name)) throw refused(51003);
      if (verb === 'createUser' || verb === 'updateUser')
        state.users.set(name, { name, pwd: body.pwd as string, roles: body.roles });
      return {};
    };
    return { db: () => ({ command }), close: async () => undefined };
  };
  return { state, clientFor };
}

const MONGOD_USERS = [
  { name: 'cord', password: 'secret', passwordFile: '' },
  { name: 'auth', password: 'of-auth', passwordFile: '', database: 'cord_auth' },
  { name: 'tasks', password: 'of-tasks', passwordFile: '', database: 'cord_tasks' },
];
/** Runs the starter's readiness check on it. */
const readyOf = (clientFor: ReturnType<typeof mongodStandIn>['clientFor']) =>
  isReady(1, MONGOD_USERS, clientFor as unknown as Parameters<typeof isReady>[2]);
const readWrite = (db: string) => [{ role: 'readWrite', db }];

test('our own mongod is ready as a primary with our users; a foreign user is reported', async () => {
  const { state, clientFor } = mongodStandIn();
  const steps = [];
  for (let step = 0; step < 3; step++) steps.push(await readyOf(clientFor));
  expect(steps).toEqual([false, false, true]);
  expect([...state.users.values()]).toEqual([
    { name: 'cord', pwd: 'secret', roles: [{ role: 'root', db: 'admin' }] },
    { name: 'auth', pwd: 'of-auth', roles: readWrite('cord_auth') },
    { name: 'tasks', pwd: 'of-tasks', roles: readWrite('cord_tasks') },
  ]);
  const foreign = mongodStandIn({ name: 'cord', pwd: 'other' });
  foreign.state.members = [{ _id: 0, host: foreign.state.host }];
  await expect(readyOf(foreign.clientFor)).rejects.toThrow(/has a user whose password is not the one in secrets/);
  foreign.state.host = '127.0.0.1:2';
  await expect(readyOf(foreign.clientFor)).rejects.toThrow(/has a user whose password is not the one in secrets/);
});

test('a mongod with only the operator gets the service users; a wrong password or role is corrected', async () => {
  const { state, clientFor } = mongodStandIn(
    { name: 'cord', pwd: 'secret' },
    { name: 'auth', pwd: 'former', roles: [{ role: 'root', db: 'admin' }] },
  );
  state.members = [{ _id: 0, host: state.host }];
  expect(await readyOf(clientFor)).toBe(true);
  expect(state.users.get('auth')).toEqual({ name: 'auth', pwd: 'of-auth', roles: readWrite('cord_auth') });
  expect(state.users.get('tasks')).toEqual({ name: 'tasks', pwd: 'of-tasks', roles: readWrite('cord_tasks') });
});

test('our own mongod becomes ready on another port, also after a first start interrupted before it had users', async () => {
  for (const made of [[{ name: 'cord', pwd: 'secret' }], []]) {
    const { state, clientFor } = mongodStandIn(...made);
    state.members = [{ _id: 0, host: '127.0.0.1:2' }];
    await vi.waitFor(async () => expect(await readyOf(clientFor)).toBe(true), { interval: 0 });
    expect(state.members).toEqual([{ _id: 0, host: '127.0.0.1:1' }]);
    expect([...state.users.keys()]).toEqual(['cord', 'auth', 'tasks']);
  }
});

test('a store of a stopped system that is killed fails the command with the reason, or can still be closed', async () => {
  const programs = await folderOf();
  await writeFile(join(programs, 'mongod'), '#!/bin/sh\nkill -KILL $$\n', { mode: 0o700 });
  vi.stubEnv('PATH', programs);
  open.push(async () => vi.unstubAllEnvs());
  await expect(storeOf(await folderOf(), {}, { make: true })).rejects.toThrow(
    'the store was killed by SIGKILL before it was ready',
  );
  vi.unstubAllEnvs();
  const before = childrenOf(process.pid);
  const store = await storeOf(await folderOf(), env, { make: true });
  const [child = 0] = childrenOf(process.pid).filter((pid) => !before.includes(pid));
  process.kill(child, 'SIGKILL');
  await until('it is gone', () => !childrenOf(process.pid).includes(child));
  await store.close();
});

test('a store at MONGODB_URI is described as such, not as a stopped system', async () => {
  const { description, close } = await storeOf(await folderOf(), {
    MONGODB_URI: 'mongodb://u:p@mongo.internal/?tls=true',
  });
  open.push(close);
  expect(description).toBe('MongoDB at MONGODB_URI');
});

test('commands on MONGODB_URI do not lock the data folder; an import does', async () => {
  const [dataDir, at] = [await folderOf(), { MONGODB_URI: 'mongodb://u:p@mongo.internal/?tls=true' }];
  for (const command of ['export', 'erasures']) {
    const { close, uri } = await storeOf(dataDir, at);
    open.push(close);
    expect(uri, command).toBe(at.MONGODB_URI);
  }
  open.push((await storeOf(dataDir, at, { make: true })).close);
  await expect(storeOf(dataDir, at, { make: true })).rejects.toThrow('is in use by another CORD');
});
