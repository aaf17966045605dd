import { rankOf } from '../bson/compare.js';
import { complement, keyOf, MAX_KEY_BYTES } from '../bson/key.js';
import { show } from '../bson/show.js';
import { BSONRegExp, MaxKey, MinKey, type Value } from '../bson/values.js';
import type { KeyRange } from '../engine/store.js';
import { And, type PathPredicate, type Predicate } from '../query/predicates.js';

/** The condition of a filter on one field, as ordered ranges of its key bytes in the index's direction. */
export interface FieldBounds {
  ranges: KeyRange[];
  /** Every range is one value. */
  points: boolean;
  /** No document without the field can match. */
  excludesMissing: boolean;
  /** For explain: `["a", "a"]`, `(5, inf]`. */
  shown: string[];
}

/** The conditions that must all hold, nested $and taken apart. */
export function conjuncts(predicate: Predicate): Predicate[] {
  return predicate instanceof And ? predicate.all.flatMap(conjuncts) : [predicate];
}

/**
 * Bounds of one index field, or undefined when the filter gives none. They take in at least every matching document; the
 * filter itself is always tested on what a scan finds. On a multikey field two conditions may be met by two different array
 * items, so only one of them bounds the scan.
 */
export function boundsOf(
  predicates: readonly PathPredicate[],
  descending: boolean,
  multikey: boolean,
): FieldBounds | undefined {
  const usable = predicates.filter(isBounding);
  const exact = usable.find(({ operator }) => operator === '$eq') ?? usable.find(({ operator }) => operator === '$in');
  if (exact !== undefined) {
    const values = exact.operator === '$in' ? (exact.operand as Value[]) : [exact.operand];
    return pointBounds(values, descending);
  }
  const ranged = multikey ? usable.slice(0, 1) : usable;
  return ranged.length === 0 ? undefined : rangeBounds(ranged, descending);
}

function isBounding({ operator, operand }: PathPredicate): boolean {
  switch (operator) {
    case '$eq':
      return !Array.isArray(operand);
    case '$in':
      return (operand as Value[]).every((value) => !Array.isArray(value) && !(value instanceof BSONRegExp));
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return isOrdered(operand);
    default:
      return false;
  }
}

/** Operands whose comparison stays inside their own type rank. */
const isOrdered = (operand: Value): boolean =>
  operand !== null && !Array.isArray(operand) && !(operand instanceof MinKey) && !(operand instanceof MaxKey);

function pointBounds(values: Value[], descending: boolean): FieldBounds {
  const keys = values.map((value) => directed(keyOf(value), descending)).sort(Buffer.compare);
  const distinct = keys.filter((key, place) => place === 0 || !key.equals(keys[place - 1] as Buffer));
  return {
    ranges: distinct.map((key) => ({ low: key, high: successor(key) })),
    points: true,
    excludesMissing: !values.includes(null),
    shown: values.map((value) => `[${show(value)}, ${show(value)}]`),
  };
}

function rangeBounds(predicates: readonly PathPredicate[], descending: boolean): FieldBounds {
  const rank = rankOf((predicates[0] as PathPredicate).operand);
  const edge = descending ? 255 - rank : rank;
  const range: KeyRange = { low: Buffer.from([edge]), high: Buffer.from([edge + 1]) };
  let below = '-inf';
  let above = 'inf';
  for (const { operator, operand } of predicates) {
    // Ranges of two types cannot both hold on one value: the first decides, the filter does the rest.
    if (rankOf(operand) !== rank) continue;
    const key = directed(keyOf(operand), descending);
    const isLower = operator.startsWith('$gt');
    const inclusive = operator.endsWith('e');
    if (isLower) below = `${inclusive ? '[' : '('}${show(operand)}`;
    else above = `${show(operand)}${inclusive ? ']' : ')'}`;
    if (isLower !== descending) range.low = later(range.low, inclusive ? key : successor(key));
    else range.high = earlier(range.high, inclusive ? successor(key) : key);
  }
  if (Buffer.compare(range.low, range.high) >= 0)
    return { ranges: [], points: false, excludesMissing: true, shown: [] };
  const shown = `${below === '-inf' ? '[-inf' : below}, ${above === 'inf' ? 'inf]' : above}`;
  return { ranges: [range], points: false, excludesMissing: true, shown: [shown] };
}

const directed = (key: Buffer, descending: boolean): Buffer => (descending ? complement(key) : key);
const later = (a: Buffer, b: Buffer): Buffer => (Buffer.compare(a, b) > 0 ? a : b);
const earlier = (a: Buffer, b: Buffer): Buffer => (Buffer.compare(a, b) < 0 ? a : b);

/** The first byte string after all that begin with `key`. Keys begin with a type rank, so a byte below 255 is there. */
export function successor(key: Buffer): Buffer {
  let end = key.length;
  while (key[end - 1] === 255) end--;
  const next = Buffer.from(key.subarray(0, end));
  next[end - 1] = (next[end - 1] as number) + 1;
  return next;
}

/** Length of the prefix that a truncated key shares with the full key, bytes. */
const CUT = MAX_KEY_BYTES - 32;

/** A shorter edge was not widened. */
export const SHORTEST_CUT_KEY = CUT;

/** Joins the ranges of consecutive fields; all but the last are points. Over-long edges widen to what cut keys share. */
export function joinRanges(fields: readonly FieldBounds[]): KeyRange[] {
  let prefixes: Buffer[] = [Buffer.alloc(0)];
  for (const field of fields.slice(0, -1)) {
    prefixes = prefixes.flatMap((prefix) => field.ranges.map(({ low }) => Buffer.concat([prefix, low])));
  }
  const last = fields.at(-1) as FieldBounds;
  const ranges = prefixes.flatMap((prefix) =>
    last.ranges.map(({ low, high }) => ({ low: Buffer.concat([prefix, low]), high: Buffer.concat([prefix, high]) })),
  );
  return ranges.map(({ low, high }) => ({
    low: low.length > CUT ? low.subarray(0, CUT) : low,
    high: high.length > CUT ? successor(high.subarray(0, CUT)) : high,
  }));
}
