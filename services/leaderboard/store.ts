import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Connection, mongo } from 'mongoose';
import { Types } from 'mongoose';
import type { Board } from './domain/board.js';
import type { Miner } from './domain/miner.js';
import type { BoardPlaces } from './events.js';

const compress = promisify(gzip);
const unpack = promisify(gunzip);

/** Entries of one stored piece of a snapshot; well below the largest document. */
const CHUNK_ENTRIES = 10_000;
/** About what a piece is when it is unpacked, so that it is not put together of hundreds of parts. */
const UNPACKED_BYTES = 6 * 1024 * 1024;
/** Pieces that are read and unpacked while one is worked on. */
const PIECES_AHEAD = 3;

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
  const read = async (_id: string): Promise<Buffer | null> => {
    const chunk = await snapshots.findOne({ _id });
    return chunk && unpack(chunk.data.buffer, { chunkSize: UNPACKED_BYTES });
  };

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
      if (!last) return null;
      for await (const piece of inOrder(last.chunks, (index) => read(`${last.generation}:${index}`))) {
        if (!piece) return null;
        const entries = JSON.parse(piece.toString()) as Entry[];
        take(
          entries.filter((entry) => typeof entry !== 'string'),
          entries.filter((entry) => typeof entry === 'string'),
        );
      }
      return last.places ?? null;
    },
  };
}

/** What is read piece by piece, in order; while one is worked on the next ones are on their way. */
async function* inOrder<T>(count: number, read: (index: number) => Promise<T>): AsyncGenerator<T> {
  const ahead: Promise<T>[] = [];
  for (let index = 0; index < count + PIECES_AHEAD; index += 1) {
    if (index < count) ahead.push(read(index));
    // One that fails is heard of in its turn, if that comes.
    ahead.at(-1)?.catch(() => undefined);
    const next = index >= PIECES_AHEAD ? ahead.shift() : undefined;
    if (next) yield await next;
  }
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
