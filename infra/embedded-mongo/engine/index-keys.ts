import { complement, fitKey, keyOf, MAX_KEY_BYTES, UNDEFINED_KEY } from '../bson/key.js';
import type { Doc, Value } from '../bson/values.js';
import { ERROR_CODES, MongoError } from '../errors.js';
import type { FieldPath, PathPart } from '../query/path.js';

export interface KeyField {
  path: FieldPath;
  descending: boolean;
}

/** All keys of one document in one index. */
export interface IndexKeys {
  keys: Buffer[];
  /** Positions of the key's fields that contain an array. */
  multikey: number[];
  cut: boolean;
  /** The values behind each key, for messages about duplicates. */
  rows: (Value | undefined)[][];
}

/** The value at a path: undefined is missing, 'empty' an empty array. */
type Reached = Value | undefined | typeof EMPTY;
const EMPTY = Symbol('empty array');

/**
 * Keys of a document: one for each combination of a field's array items. Missing is indexed as null, an empty array below
 * null. At most one of the fields may be an array unless they share it; else MongoError 171.
 */
export function indexKeys(document: Doc, fields: readonly KeyField[], sparse: boolean): IndexKeys {
  const multikey = new Set<number>();
  const start = fields.map(({ path }) => walk({ value: document, at: 0, settled: false }, path.parts));
  const rows = expand(start, fields, multikey);
  if (sparse && rows.every((row) => row.every((value) => value === undefined))) {
    return NO_KEYS;
  }
  const keys = new Map<string, Buffer>();
  const shown: (Value | undefined)[][] = [];
  let cut = false;
  for (const row of rows) {
    const whole = rowKey(row, fields);
    if (whole.length > MAX_KEY_BYTES) cut = true;
    const key = fitKey(whole);
    const text = rows.length === 1 ? '' : key.toString('latin1');
    if (keys.has(text)) continue;
    keys.set(text, key);
    shown.push(row.map((value) => (value === EMPTY ? undefined : value)));
  }
  return { keys: [...keys.values()], multikey: [...multikey], cut, rows: shown };
}

export const NO_KEYS: IndexKeys = { keys: [], multikey: [], cut: false, rows: [] };

function rowKey(row: Reached[], fields: readonly KeyField[]): Buffer {
  if (row.length === 1) return fieldKey(row[0], (fields[0] as KeyField).descending);
  return Buffer.concat(row.map((value, place) => fieldKey(value, (fields[place] as KeyField).descending)));
}

function fieldKey(value: Reached, descending: boolean): Buffer {
  const key = value === EMPTY ? UNDEFINED_KEY : keyOf(value ?? null);
  return descending ? complement(key) : key;
}

/** The progress along a field's path: a value, with `at` parts consumed. A settled cursor has its final value. */
interface Cursor {
  value: Reached;
  at: number;
  settled: boolean;
}

/** Follows sub-documents (and array positions, if the part is a number) until an array or the end of the path. */
function walk(cursor: Cursor, parts: readonly PathPart[]): Cursor {
  let { value, at } = cursor;
  while (at < parts.length) {
    const part = parts[at] as PathPart;
    if (value instanceof Map) value = value.get(part.name);
    else if (Array.isArray(value) && isPlace(part, value)) value = value[Number(part.name)];
    else break;
    at++;
  }
  if (Array.isArray(value)) return { value, at, settled: false };
  return { value: at < parts.length ? undefined : value, at, settled: true };
}

/** A numeric part is an array position unless items have a field of that name. */
const isPlace = (part: PathPart, items: Value[]): boolean =>
  part.isIndex && !items.some((item) => item instanceof Map && item.has(part.name));

/** Rows of values: expands the array that the fields have reached item by item, then continues the paths. */
function expand(cursors: Cursor[], fields: readonly KeyField[], multikey: Set<number>): Reached[][] {
  const open = cursors.flatMap((cursor, place) => (cursor.settled ? [] : [place]));
  if (open.length === 0) return [cursors.map(({ value }) => value)];
  const items = cursors[open[0] as number]?.value as Value[];
  for (const place of open) {
    if (cursors[place]?.value !== items) throw parallel(fields, open[0] as number, place);
    multikey.add(place);
  }
  if (items.length === 0) return expand(stepInto(cursors, fields, items, undefined), fields, multikey);
  return items.flatMap((item) => expand(stepInto(cursors, fields, items, item), fields, multikey));
}

/** Moves every field that is at `items` to one item of it; undefined if there is none. */
function stepInto(cursors: Cursor[], fields: readonly KeyField[], items: Value[], item: Value | undefined): Cursor[] {
  return cursors.map((cursor, place) => {
    if (cursor.settled || cursor.value !== items) return cursor;
    const { parts } = (fields[place] as KeyField).path;
    if (cursor.at === parts.length) return { value: item === undefined ? EMPTY : item, at: cursor.at, settled: true };
    if (!(item instanceof Map)) return { value: undefined, at: cursor.at, settled: true };
    return walk({ value: item, at: cursor.at, settled: false }, parts);
  });
}

function parallel(fields: readonly KeyField[], first: number, second: number): MongoError {
  const name = (place: number): string | undefined => fields[place]?.path.parts.at(-1)?.name;
  return new MongoError(
    ERROR_CODES.CannotIndexParallelArrays,
    `cannot index parallel arrays [${name(second)}] [${name(first)}]`,
  );
}
