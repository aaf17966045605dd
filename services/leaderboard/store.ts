import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Connection, mongo } from 'mongoose';
import { Types } from 'mongoose';
import type { Board } from './domain/board.js';
import type { Miner } from './domain/miner.js';
import type { BoardPlaces } from './events.js';

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** Entries of one stored piece of a snapshot; well below the largest document. */
const CHUNK_ENTRIES = 10_000;

interface Chunk {
  _id: string;
  generation: string;
  data: mongo.Binary;
}

/** A miner, or the id of one who must not come back. */
type Entry = Miner | string;

interface Head {
  _id: 'head';
  generation: string;
  chunks: number;
  /** Everything up to here in each stream is in the snapshot. Absent in what a former release wrote. */
  places?: BoardPlaces;
  atMs: number;
}

export interface LeaderboardStore {
  saveSnapshot(snapshot: { places: BoardPlaces; atMs: number }, board: Pick<Board, 'miners' | 'erased'>): Promise<void>;
  /** Up to where the last whole snapshot goes in each stream; null when there is none. */
  snapshotPlaces(): Promise<BoardPlaces | null>;
  /** When it was written, ms since epoch; null when there is none. */
  snapshotAtMs(): Promise<number | null>;
  /**
   * Reads the last whole snapshot, piece by piece.
   * @returns its places; null when there is none, or a piece is missing: then what was taken is to be read over
   */
  loadSnapshot(take: (miners: Miner[], erased: string[]) => void): Promise<BoardPlaces | null>;
}

export function openStore(connection: Connection): LeaderboardStore {
  const snapshots = connection.collection<Chunk>('snapshots');
  const heads = connection.collection<Head>('snapshots');
  const head = () => heads.findOne({ _id: 'head' });

  return {
    async saveSnapshot({ places, atMs }, board) {
      const generation = new Types.ObjectId().toHexString();
      let chunks = 0;
      for (const part of inChunks(entriesOf(board))) {
        const data = await compress(JSON.stringify(part));
        await snapshots.insertOne({
          _id: `${generation}:${chunks}`,
          generation,
          data: data as unknown as mongo.Binary,
        });
        chunks += 1;
      }
      // The head comes last: a crash before it leaves the former snapshot whole.
      await heads.replaceOne({ _id: 'head' }, { generation, chunks, places, atMs }, { upsert: true });
      await snapshots.deleteMany({ _id: { $ne: 'head' }, generation: { $ne: generation } });
    },
    snapshotPlaces: async () => (await head())?.places ?? null,
    snapshotAtMs: async () => (await head())?.atMs ?? null,
    async loadSnapshot(take) {
      const last = await head();
      for (let index = 0; index < (last?.chunks ?? 0); index += 1) {
        const chunk = await snapshots.findOne({ _id: `${last?.generation}:${index}` });
        if (!chunk) return null;
        const entries = JSON.parse((await expand(chunk.data.buffer)).toString()) as Entry[];
        take(
          entries.filter((entry) => typeof entry !== 'string'),
          entries.filter((entry) => typeof entry === 'string'),
        );
      }
      return last?.places ?? null;
    },
  };
}

function* entriesOf(board: Pick<Board, 'miners' | 'erased'>): Generator<Entry> {
  yield* board.erased();
  yield* board.miners();
}

function* inChunks(entries: Iterable<Entry>): Generator<Entry[]> {
  let part: Entry[] = [];
  for (const entry of entries) {
    part.push(entry);
    if (part.length < CHUNK_ENTRIES) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
