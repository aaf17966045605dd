import { spawn } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkDataFile } from '../engine/data-file.js';
import { startEmbeddedMongo } from '../index.js';
import { BSON, codeOf, MongoClient } from './harness.js';
import { build, MAIN, startProcess } from './server-process.js';

/* What is not whole is never opened: each kind of damage is named with its file, before a client can connect. */
const PAGE = 4096;
const DOCUMENTS = 3_000;
let whole: string;
let folder: string;
let file: string;

beforeAll(async () => {
  whole = await mkdtemp(join(tmpdir(), 'embedded-mongo-whole-'));
  const server = await startEmbeddedMongo({ port: 0, dataDir: whole, reserveBytes: 0 });
  const client = await MongoClient.connect(server.uri);
  const items = client.db('damage').collection<{ _id: number }>('items');
  await items.createIndex({ name: 1 });
  const documents = Array.from({ length: DOCUMENTS }, (_, n) => ({ _id: n, name: `name ${n}`, fill: 'x'.repeat(300) }));
  await items.insertMany(documents);
  await items.insertOne({ _id: -1, large: 'y'.repeat(50_000) } as never);
  // A hundred commits more: by then the free list has entries of its own.
  for (let n = 0; n < 100; n++) await items.updateOne({ _id: n }, { $set: { name: `again ${n}` } });
  await client.close();
  await server.close();
});
afterAll(() => rm(whole, { recursive: true, force: true }));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-damaged-'));
  file = join(folder, 'store.mdb');
  await copyFile(join(whole, 'store.mdb'), file);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function overwrite(offset: number, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(bytes, 0, bytes.length, offset);
  await handle.close();
}

/** The outcome of a start; the server is closed again when it does start. */
async function start(dataDir = folder): Promise<string> {
  try {
    await (await startEmbeddedMongo({ port: 0, dataDir })).close();
    return 'started';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('a start on a data file', () => {
  it('succeeds when it is intact', async () => {
    expect(await start()).toBe('started');
  });

  it.each<[string, number]>([
    ['half of it', 0.5],
    ['a page', 0.001],
    ['a few bytes', 0.00005],
  ])('fails by name when it is cut to %s', async (_says, part) => {
    await truncate(file, Math.ceil((await stat(file)).size * part));
    expect(await start()).toMatch(/data file .*store\.mdb is damaged: it ends at \d+ bytes/);
    expect(await start()).toContain(file);
  });

  it('fails by name when it has 0 bytes', async () => {
    await truncate(file, 0);
    expect(await start()).toContain(`${file} is damaged: it is empty (0 bytes)`);
  });

  it('fails by name when one or both heads are zeroed', async () => {
    await overwrite(PAGE, Buffer.alloc(PAGE));
    expect(await start()).toContain(`${file} is damaged: head 2 of 2 does not belong to a store`);
    await overwrite(0, Buffer.alloc(PAGE));
    expect(await start()).toContain(`${file} is damaged: head 1 of 2 does not belong to a store`);
  });

  it('fails by name when it is from another program', async () => {
    await writeFile(file, 'Dear diary, '.repeat(1_000));
    expect(await start()).toContain(`${file} is damaged: head 1 of 2 does not belong to a store`);
  });

  it('fails by name when it is a folder', async () => {
    await rm(file);
    await mkdir(file);
    expect(await start()).toContain(`${file} is damaged: it is not a file`);
  });

  it('reports each overwritten page that holds data as damage', async () => {
    const { size } = await stat(file);
    const before = await readFile(file);
    const outcomes = new Map<string, number>();
    for (let page = 0; page < size / PAGE; page++) {
      await overwrite(page * PAGE, Buffer.alloc(PAGE, 0xa5));
      const outcome = verdict();
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      await overwrite(page * PAGE, before.subarray(page * PAGE, (page + 1) * PAGE));
    }
    // Pages that hold nothing now, and those inside a large value (its checksum has them), are not looked at.
    const found = [...outcomes].filter(([outcome]) => outcome !== 'whole').reduce((sum, [, count]) => sum + count, 0);
    expect(found).toBeGreaterThan((DOCUMENTS * 300) / PAGE);
    expect([...outcomes.keys()].filter((outcome) => outcome !== 'whole' && !/is damaged: /.test(outcome))).toEqual([]);
    expect(verdict()).toBe('whole');
  });

  function verdict(): string {
    try {
      checkDataFile(file);
      return 'whole';
    } catch (error) {
      return (error as Error).message.replace(/\d+/g, 'N');
    }
  }
});

describe('damage inside intact pages', () => {
  it('of a value gives an error with the record, by scan, index or _id; other records stay readable', async () => {
    const bytes = await readFile(file);
    // All places of it: what earlier commits left in free pages does no harm.
    for (let at = bytes.indexOf('name 1234\0'); at >= 0; at = bytes.indexOf('name 1234\0', at + 1))
      if (bytes.toString('latin1', at - 7, at - 4) === 'me\0') await overwrite(at + 4, Buffer.from('!'));
    const server = await startEmbeddedMongo({ port: 0, dataDir: folder });
    const client = await MongoClient.connect(server.uri);
    const items = client.db('damage').collection<{ _id: number; name: string }>('items');
    const scan = await items
      .find()
      .toArray()
      .catch((error) => error);
    expect(scan).toMatchObject({ code: 301, codeName: 'DataCorruptionDetected' });
    expect(scan.message).toMatch(/record 1235 of damage\.items is damaged/);
    expect(await codeOf(items.findOne({ name: 'name 1234' }))).toBe(301);
    expect(await codeOf(items.findOne({ _id: 1234 }))).toBe(301);
    expect(await codeOf(items.updateOne({ _id: 1234 }, { $set: { name: 'x' } }))).toBe(301);
    expect(await items.findOne({ _id: 1233 })).toMatchObject({ name: 'name 1233' });
    await client.close();
    await server.close();
  });

  it('includes a document without its checksum', async () => {
    const { Store } = await import('../engine/store.js');
    const { Database } = await import('../engine/database.js');
    const { documentKey } = await import('../engine/layout.js');
    const store = await Store.open(folder);
    const collection = (await Database.load(store)).find('damage.items');
    if (collection === undefined) throw new Error('the collection is gone');
    const bytes = collection.read(5)?.bytes;
    if (bytes === undefined) throw new Error('the document is gone');
    await store.write(() => store.put(documentKey(collection.id, 5), bytes));
    expect(() => collection.read(5)).toThrow(/record 5 of damage\.items is damaged/);
    await store.close();
  });

  it('of an index entry without its document gives an error that names both', async () => {
    const { Store } = await import('../engine/store.js');
    const { Database } = await import('../engine/database.js');
    const { documentKey } = await import('../engine/layout.js');
    const store = await Store.open(folder);
    const id = (await Database.load(store)).find('damage.items')?.id as number;
    await store.write(() => store.remove(documentKey(id, 8)));
    await store.close();
    const server = await startEmbeddedMongo({ port: 0, dataDir: folder });
    const client = await MongoClient.connect(server.uri);
    const items = client.db('damage').collection('items');
    const error = await items.findOne({ _id: new BSON.Int32(7) as never }).catch((reason) => reason);
    expect(error).toMatchObject({ code: 301 });
    expect(error.message).toMatch(/index _id_ of damage\.items refers to record 8, which does not exist/);
    await client.close();
    await server.close();
  });
});

describe('an unusable data folder', () => {
  it('is reported by name when a file is in its place or in its path', async () => {
    expect(await start(file)).toContain(`the data folder ${file} cannot be created: a file of that name exists`);
    expect(await start(join(file, 'below'))).toContain(file);
  });

  it.runIf(process.platform === 'linux')('on a file system without mkdir ends the start with an error', async () => {
    await build();
    const child = spawn(process.execPath, [MAIN, '--port', '0', '--data', '/proc/cord-test/data']);
    let printed = '';
    child.stderr.on('data', (chunk) => {
      printed += chunk;
    });
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(1);
    expect(printed).toMatch(/the data folder \/proc\/cord-test cannot be created/);
  });

  it('without write permission is reported by its path', async () => {
    await chmod(folder, 0o500);
    // Root may write everywhere, so there the program is started as nobody, who may not even look into the folder.
    const asNobody = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--clear-groups'] : [];
    const refusal = (await startProcess(folder, asNobody).catch((error) => error)) as Error;
    expect(refusal.message).toContain(`${folder} is not readable and writable: permission denied`);
    await chmod(folder, 0o700);
  });
});
