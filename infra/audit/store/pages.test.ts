import { type EmbeddedMongo, startEmbeddedMongo } from '@cord/embedded-mongo';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { mongo } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mongoPayments } from '../payments/source.js';
import { mongoSource } from './mongo-source.js';

const USERS = ['c', 'b', 'a'].map((letter) => letter.repeat(32));
const ENTRIES_EACH = 250;

const place = forAllTests(scratch);
let server: EmbeddedMongo;
let client: mongo.MongoClient;
/** Counts cursors that a reply of the store left open. */
let open = 0;
const databaseOf = (service: string) => client.db(`cord_${service}`);
const asStored = () => (stored: object) => stored;

beforeAll(async () => {
  server = await startEmbeddedMongo({ port: 0, dataDir: place.folder });
  client = await new mongo.MongoClient(server.uri, { useBigInt64: true, monitorCommands: true }).connect();
  const of = <D>(make: (userId: string, n: number) => D, each: number) =>
    USERS.flatMap((userId) => Array.from({ length: each }, (_, n) => make(userId, n)));
  const entries = of((userId, n) => ({ _id: `e:${userId}:${n}`, userId, seq: BigInt(n) }), ENTRIES_EACH);
  // Two sessions of a user begin in the same millisecond, also across a page boundary.
  const sessions = of((userId, n) => ({ _id: `s:${userId}:${n}`, userId, startedAtMs: n >> 1 }), 10);
  const corrections = of((userId, n) => ({ _id: `c:${userId}:${n}`, userId }), 5);
  const orders = Array.from({ length: 150 }, (_, n) => ({ _id: `o${n}` }));
  const put = (service: string, name: string, documents: object[]) =>
    databaseOf(service).collection(name).insertMany(documents);
  // The last user has no account.
  await put(
    'mining',
    'accounts',
    USERS.slice(0, 2).map((_id) => ({ _id, seq: 1n })),
  );
  await put('mining', 'entries', entries);
  await put('mining', 'sessions', sessions);
  await put('mining', 'corrections', corrections);
  await put('rewards', 'orders', orders);
  await databaseOf('mining').collection('entries').createIndex({ userId: 1, seq: -1 });
  await databaseOf('mining').collection('sessions').createIndex({ userId: 1, startedAtMs: -1 });
  client.on('commandSucceeded', ({ reply }) => {
    const { cursor } = reply as { cursor?: { id: unknown } };
    if (cursor && BigInt(String(cursor.id)) !== 0n) open += 1;
  });
});
afterAll(async () => {
  await client?.close();
  await server?.close();
});

test.each([1, 3, 100, undefined])(
  'pages of %s return everything once and in order, and leave no cursor open',
  async (size) => {
    open = 0;
    const users: string[] = [];
    for await (const books of mongoSource(databaseOf, asStored, size).users()) {
      const [seqs, sessions]: [bigint[], string[]] = [[], []];
      for await (const { _id } of books.sessions) sessions.push(_id);
      for await (const { seq } of books.entries) seqs.push(seq);
      expect(seqs).toEqual(Array.from({ length: ENTRIES_EACH }, (_, n) => BigInt(n)));
      expect(new Set(sessions).size).toBe(10);
      expect(sessions).toHaveLength(10);
      expect(books.corrections).toHaveLength(5);
      expect(books.account?._id).toBe(books.userId.startsWith('a') ? undefined : books.userId);
      users.push(books.userId);
    }
    expect(users).toEqual(USERS);
    const orders: string[] = [];
    for await (const { _id } of mongoPayments(databaseOf, asStored, size).orders()) orders.push(_id);
    expect(new Set(orders).size).toBe(150);
    expect(orders).toHaveLength(150);
    expect(open).toBe(0);
  },
);
