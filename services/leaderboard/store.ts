import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Connection, mongo } from 'mongoose';
import { Types } from 'mongoose';
import type { Miner } from './domain/miner.js';

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** Miners of one stored piece of a snapshot; well below the largest document. */
const CHUNK_MINERS = 10_000;

/** A user's name, picture and badge, kept beyond the age of the events that told them. */
export interface StoredProfile {
  _id: string;
  seq?: number;
  username?: string;
  avatar?: string | null;
  discordCreatedAtMs?: number;
  badge?: boolean;
  erased?: boolean;
}

interface Chunk {
  _id: string;
  generation: string;
  data: mongo.Binary;
}

interface Head {
  _id: 'head';
  generation: string;
  chunks: number;
  /** Everything up to here in the balance stream is in the snapshot. */
  balanceStreamSeq: number;
  atMs: number;
}

export interface Snapshot {
  balanceStreamSeq: number;
  miners: Miner[];
}

export interface LeaderboardStore {
  saveProfile(
    userId: string,
    seq: number,
    profile: { username: string; avatar: string | null; discordCreatedAtMs: number },
  ): Promise<void>;
  saveBadge(userId: string): Promise<void>;
  /** Forgets everything but that the user is gone. */
  saveErased(userId: string): Promise<void>;
  profiles(): AsyncIterable<StoredProfile>;
  saveSnapshot(snapshot: { balanceStreamSeq: number; atMs: number }, miners: Iterable<Miner>): Promise<void>;
  /** The last whole snapshot, or null. */
  loadSnapshot(): Promise<Snapshot | null>;
}

export async function openStore(connection: Connection): Promise<LeaderboardStore> {
  const profiles = connection.collection<StoredProfile>('profiles');
  const snapshots = connection.collection<Chunk>('snapshots');
  const heads = connection.collection<Head>('snapshots');
  await snapshots.createIndex({ generation: 1 });

  return {
    async saveProfile(userId, seq, profile) {
      const newer = { _id: userId, erased: { $ne: true }, $or: [{ seq: { $lt: seq } }, { seq: { $exists: false } }] };
      const { matchedCount } = await profiles.updateOne(newer, { $set: { ...profile, seq } });
      if (matchedCount > 0) return;
      // Not there yet, or there and newer: then the insert changes nothing.
      await profiles.updateOne({ _id: userId }, { $setOnInsert: { ...profile, seq } }, { upsert: true });
    },
    async saveBadge(userId) {
      await profiles.updateOne({ _id: userId }, { $set: { badge: true } }, { upsert: true });
    },
    async saveErased(userId) {
      await profiles.replaceOne({ _id: userId }, { erased: true }, { upsert: true });
    },
    profiles: () => profiles.find({}),
    async saveSnapshot({ balanceStreamSeq, atMs }, miners) {
      const generation = new Types.ObjectId().toHexString();
      let chunks = 0;
      for (const part of inChunks(miners)) {
        const data = await compress(JSON.stringify(part));
        await snapshots.insertOne({
          _id: `${generation}:${chunks}`,
          generation,
          data: data as unknown as mongo.Binary,
        });
        chunks += 1;
      }
      // The head comes last: a crash before it leaves the former snapshot whole.
      await heads.replaceOne({ _id: 'head' }, { generation, chunks, balanceStreamSeq, atMs }, { upsert: true });
      await snapshots.deleteMany({ _id: { $ne: 'head' }, generation: { $ne: generation } });
    },
    async loadSnapshot() {
      const head = await heads.findOne({ _id: 'head' });
      if (!head) return null;
      const miners: Miner[] = [];
      for (let index = 0; index < head.chunks; index += 1) {
        const chunk = await snapshots.findOne({ _id: `${head.generation}:${index}` });
        if (!chunk) return null;
        for (const miner of JSON.parse((await expand(chunk.data.buffer)).toString()) as Miner[]) miners.push(miner);
      }
      return { balanceStreamSeq: head.balanceStreamSeq, miners };
    },
  };
}

function* inChunks(miners: Iterable<Miner>): Generator<Miner[]> {
  let part: Miner[] = [];
  for (const miner of miners) {
    part.push(miner);
    if (part.length < CHUNK_MINERS) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
