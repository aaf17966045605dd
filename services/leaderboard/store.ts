import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import { collection } from '@cord/kit/collection';
import type { Connection, mongo } from 'mongoose';
import { Types } from 'mongoose';
import type { Board } from './domain/board.js';
import type { BoardPlaces } from './events.js';

const compress = promisify(gzip);
const unpack = promisify(gunzip);

/** Users per stored piece of a snapshot; well below the largest document. */
const PIECE_USERS = 10_000;
/** Approximate unpacked size of a piece, so that unpacking needs no hundreds of parts. */
const UNPACKED_BYTES = 3 * 1024 * 1024;
/** The board is written every five minutes: better compression is not worth its time. */
const COMPRESSION = { level: constants.Z_BEST_SPEED };
/** Number of pieces read and unpacked ahead. */
const PIECES_AHEAD = 3;

interface Stored {
  _id: string;
  generation: string;
  data: mongo.Binary;
}

interface Head {
  _id: 'head';
  generation: string;
  chunks: number;
  /** Positions in the streams that the pieces cover; the pieces hold columns. */
  piecesTo: BoardPlaces;
  atMs: number;
  /** Number of users online. */
  online: number;
}

export const SNAPSHOTS = collection<Stored>({ name: 'snapshots', indexes: [{ key: { generation: 1 } }] });
/** Stored in the same collection, under an id of its own. */
const HEADS = collection<Head>({ name: 'snapshots' });

export type LeaderboardStore = ReturnType<typeof openStore>;

export function openStore(connection: Connection) {
  const snapshots = SNAPSHOTS.in(connection);
  const heads = HEADS.in(connection);
  const readHead = () => heads.findOne({ _id: 'head' });
  const deleteOtherGenerations = (generation: string | null) =>
    snapshots.deleteMany({ _id: { $ne: 'head' }, generation: { $ne: generation as string } });
  const read = async (_id: string): Promise<Buffer | null> => {
    const piece = await snapshots.findOne({ _id });
    return piece && unpack(piece.data.buffer, { chunkSize: UNPACKED_BYTES });
  };

  return {
    async saveSnapshot(
      { places, ...about }: { places: BoardPlaces } & Pick<Head, 'atMs' | 'online'>,
      board: Pick<Board, 'pieces'>,
    ) {
      const before = (await readHead())?.generation ?? null;
      // Removes leftovers of killed processes, which would fill the disk over time.
      await deleteOtherGenerations(before);
      const generation = new Types.ObjectId().toHexString();
      let chunks = 0;
      try {
        for (const piece of board.pieces(PIECE_USERS)) {
          const data = (await compress(piece, COMPRESSION)) as unknown as mongo.Binary;
          await snapshots.insertOne({ _id: `${generation}:${chunks}`, generation, data });
          chunks += 1;
        }
      } catch (err) {
        await snapshots.deleteMany({ generation });
        throw err;
      }
      // The head is written last: after a crash before it, the former snapshot stays complete. A stalled write cannot replace a later snapshot: it fails as a duplicate.
      const written = { generation, chunks, piecesTo: places, ...about };
      await heads.replaceOne({ _id: 'head', generation: before } as never, written, { upsert: true });
      await deleteOtherGenerations(generation);
    },
    /** The stream positions of the last complete snapshot; null when there is none. */
    snapshotPlaces: async () => (await readHead())?.piecesTo ?? null,
    /** Time of the last complete snapshot, ms since epoch; null when there is none. */
    snapshotAtMs: async () => (await readHead())?.atMs ?? null,
    /** Number of users online at the last complete snapshot. */
    async lastOnline() {
      const { online = 0, atMs = 0 } = (await readHead()) ?? {};
      return { users: online, atMs };
    },
    /**
     * Loads the last complete snapshot, piece by piece.
     * @returns its stream positions; null when there is none, or a piece is missing: then the streams must be read again
     */
    async loadSnapshot(board: Pick<Board, 'loadPiece'>) {
      const last = await readHead();
      if (!last) return null;
      for await (const piece of readAhead(last.chunks, (index) => read(`${last.generation}:${index}`))) {
        if (!piece) return null;
        board.loadPiece(piece);
      }
      return last.piecesTo;
    },
  };
}

/** Yields pieces in order, and reads the next ones ahead. */
async function* readAhead<T>(count: number, read: (index: number) => Promise<T>): AsyncGenerator<T> {
  const ahead: Promise<T>[] = [];
  for (let index = 0; index < count + PIECES_AHEAD; index += 1) {
    if (index < count) ahead.push(read(index));
    // A failure is thrown when its turn comes.
    ahead.at(-1)?.catch(() => undefined);
    const next = index >= PIECES_AHEAD ? ahead.shift() : undefined;
    if (next) yield await next;
  }
}
