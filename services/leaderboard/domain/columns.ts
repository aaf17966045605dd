/** The numeric fields of each miner (see Miner); a key is stored as the number of its text, a badge as 1. */
export const COLUMNS = [
  'accountSeq',
  'profileSeq',
  'discordCreatedAtMs',
  'badge',
  'totalMicro',
  'totalReachedAtMs',
  'miningMicro',
  'dayKey',
  'dayMicro',
  'dayReachedAtMs',
  'weekKey',
  'weekMicro',
  'weekReachedAtMs',
  'monthKey',
  'monthMicro',
  'monthReachedAtMs',
  'activeUntilMs',
] as const;
export type Column = (typeof COLUMNS)[number];
export type Numbers = Record<Column, Float64Array>;

/** A group of miners, stored by column. */
export interface Piece {
  userIds: readonly string[];
  usernames: readonly (string | null)[];
  avatars: readonly (string | null)[];
  /** Texts of the keys, by number. */
  texts: readonly string[];
  numbers: Readonly<Numbers>;
}

/** Returns columns of this length, filled with zeros. */
export function numbersOf(length: number): Numbers {
  return Object.fromEntries(COLUMNS.map((column) => [column, new Float64Array(length)])) as Numbers;
}

/** Returns the miners of a piece at some positions. */
export function pick({ userIds, usernames, avatars, texts, numbers }: Piece, places: readonly number[]): Piece {
  const picked = numbersOf(places.length);
  for (const column of COLUMNS)
    for (const [at, place] of places.entries()) picked[column][at] = numbers[column][place] as number;
  return {
    userIds: places.map((place) => userIds[place] as string),
    usernames: places.map((place) => usernames[place] ?? null),
    avatars: places.map((place) => avatars[place] ?? null),
    texts,
    numbers: picked,
  };
}

/** The header of a written piece. */
interface Head extends Omit<Piece, 'numbers'> {
  columns: string[];
  /** Ids of erased users, who must not reappear. */
  erased: string[];
}

const LENGTH_BYTES = 4;
const NUMBER_BYTES = Float64Array.BYTES_PER_ELEMENT;

/**
 * Serializes a piece: length of the header, header as JSON, then the columns as little-endian doubles. Reading takes
 * a tenth of the time that JSON needs, and leaves no garbage.
 */
export function writePiece(piece: Piece, erased: string[]): Buffer {
  const { numbers, ...rest } = piece;
  const head = Buffer.from(JSON.stringify({ ...rest, columns: [...COLUMNS], erased } satisfies Head));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(head.length);
  const columns = COLUMNS.map((column) => {
    const { buffer, byteOffset, byteLength } = numbers[column];
    return Buffer.from(buffer, byteOffset, byteLength);
  });
  return Buffer.concat([length, head, ...columns]);
}

/** Reads the output of `writePiece`; ignores unknown columns of another release, and fills missing ones with 0. */
export function readPiece(bytes: Buffer): { piece: Piece; erased: string[] } {
  const start = LENGTH_BYTES + bytes.readUInt32LE();
  const head = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, start)) as Head;
  const count = head.userIds.length;
  const numbers = numbersOf(count);
  for (const [place, name] of head.columns.entries()) {
    const column = COLUMNS.find((known) => known === name);
    if (column === undefined) continue;
    const from = start + place * count * NUMBER_BYTES;
    if (from + count * NUMBER_BYTES > bytes.length) throw new Error(`a piece of the snapshot is truncated in ${name}`);
    const { buffer, byteLength } = numbers[column];
    bytes.copy(Buffer.from(buffer, 0, byteLength), 0, from, from + byteLength);
  }
  const { userIds, usernames, avatars, texts, erased } = head;
  return { piece: { userIds, usernames, avatars, texts, numbers }, erased };
}
