import { equal } from '../bson/compare.js';
import { type Doc, isDoc, type Value } from '../bson/values.js';
import type { Collection } from '../engine/collection.js';
import type { CollectionIndex } from '../engine/collection-index.js';
import { documentRange, indexRange } from '../engine/layout.js';
import type { KeyRange } from '../engine/store.js';
import { badValue } from '../errors.js';
import { And, Or, PathPredicate, type Predicate } from '../query/predicates.js';
import type { SortField } from '../query/sort.js';
import { boundsOf, conjuncts, type FieldBounds, joinRanges, SHORTEST_CUT_KEY } from './bounds.js';
import { implies } from './partial.js';

/** A plan to find documents. It covers at least the matching documents; the filter is tested on each. */
export type Plan = CollectionScan | IndexScan | Union;

export interface CollectionScan {
  kind: 'COLLSCAN';
  range: KeyRange;
  reverse: boolean;
  givesOrder: boolean;
}

export interface IndexScan {
  kind: 'IXSCAN';
  index: CollectionIndex;
  ranges: KeyRange[];
  reverse: boolean;
  givesOrder: boolean;
  /** Each range is one whole key of a unique index: it is looked up, not scanned. */
  isLookup: boolean;
  /** Bounds per field for explain; a field beyond the bounds is missing here. */
  bounds: FieldBounds[];
}

export interface Union {
  kind: 'OR';
  branches: IndexScan[];
  givesOrder: false;
}

export type Hint = string | Doc | undefined;

/** Maximum number of value combinations in a scan of one index. */
const MAX_RANGES = 5_000;

/** Chooses by the shape of the query alone: most fields bounded by values, then a range, then an order for free. */
export function plan(collection: Collection, filter: And, sort: readonly SortField[], hint: Hint): Plan {
  const natural = naturalOrder(hint);
  if (natural !== undefined) return scanAll(collection, natural < 0, sort);
  const all = conjuncts(filter);
  if (hint !== undefined) {
    const index = hinted(collection, hint);
    return candidate(index, all, sort, true) ?? fullIndexScan(index, sort);
  }
  let best: IndexScan | undefined;
  let bestScore = 0;
  for (const index of collection.indexes) {
    const scan = index.building ? undefined : candidate(index, all, sort, false);
    if (scan === undefined) continue;
    const points = scan.bounds.filter((field) => field.points).length;
    if (index.spec.unique && points === index.fields.length && scan.ranges.length === 1) return scan;
    const score = points * 100 + (scan.bounds.length - points) * 50 + (scan.givesOrder && sort.length > 0 ? 20 : 0);
    if (score > bestScore) [best, bestScore] = [scan, score];
  }
  if (best !== undefined && best.bounds.length > 0) return best;
  return union(collection, all) ?? best ?? scanAll(collection, false, sort);
}

function scanAll(collection: Collection, reverse: boolean, sort: readonly SortField[]): CollectionScan {
  return { kind: 'COLLSCAN', range: documentRange(collection.id), reverse, givesOrder: sort.length === 0 };
}

/** A scan of this index for these conditions; undefined when it neither bounds nor orders, or may lack documents. */
function candidate(
  index: CollectionIndex,
  all: Predicate[],
  sort: readonly SortField[],
  forced: boolean,
): IndexScan | undefined {
  if (index.partial !== undefined && !implies(all, conjuncts(index.partial))) return undefined;
  const bounds = boundFields(index, all);
  if (index.spec.sparse && !bounds.some((field) => field.excludesMissing) && !forced) return undefined;
  const order = orderOf(index, bounds, sort);
  if (bounds.length === 0 && (order === undefined || sort.length === 0)) return undefined;
  const head = indexRange(index.id).low;
  const joined = bounds.length === 0 ? [] : joinRanges(bounds);
  const ranges =
    bounds.length === 0
      ? [indexRange(index.id)]
      : joined.map(({ low, high }) => ({ low: Buffer.concat([head, low]), high: Buffer.concat([head, high]) }));
  return {
    kind: 'IXSCAN',
    index,
    ranges,
    reverse: order === 'reverse',
    givesOrder: order !== undefined,
    isLookup: isLookup(index, bounds, ranges),
    bounds,
  };
}

function isLookup(index: CollectionIndex, bounds: readonly FieldBounds[], ranges: readonly KeyRange[]): boolean {
  const isWhole = index.spec.unique && bounds.length === index.fields.length && bounds.every(({ points }) => points);
  return isWhole && ranges.every(({ low }) => low.length < SHORTEST_CUT_KEY);
}

/** Bounds of the leading fields: values as long as there are values, then at most one range. */
function boundFields(index: CollectionIndex, all: Predicate[]): FieldBounds[] {
  const result: FieldBounds[] = [];
  let ranges = 1;
  let metArray = false;
  for (const [place, field] of index.fields.entries()) {
    // In a filter, a number in a path means both an array position and a field of each item; a key has only one of them.
    if (field.path.parts.some(({ isIndex }) => isIndex)) break;
    const isMultikey = index.multikey.has(place);
    // Two fields through one array may be met by two different items: the second one cannot bound.
    if (isMultikey && metArray) break;
    metArray ||= isMultikey;
    const mine = all.filter(
      (one): one is PathPredicate => one instanceof PathPredicate && one.path.dotted === field.path.dotted,
    );
    const bounds = boundsOf(mine, field.descending, isMultikey);
    if (bounds === undefined) break;
    ranges *= bounds.ranges.length;
    if (ranges > MAX_RANGES && result.length > 0) break;
    result.push(bounds);
    if (!bounds.points) break;
  }
  return result;
}

/** The direction in which the index gives the sort's order; fields fixed to one value do not matter. */
function orderOf(
  index: CollectionIndex,
  bounds: FieldBounds[],
  sort: readonly SortField[],
): 'forward' | 'reverse' | undefined {
  if (sort.length === 0) return 'forward';
  if (index.hasCutKeys) return undefined;
  const isFixed = (place: number): boolean =>
    bounds[place]?.points === true && bounds[place]?.ranges.length === 1 && !index.multikey.has(place);
  const fixed = new Set(index.fields.filter((_, place) => isFixed(place)).map(({ path }) => path.dotted));
  let place = 0;
  let direction: 'forward' | 'reverse' | undefined;
  for (const wanted of sort) {
    if (fixed.has(wanted.path.dotted)) continue;
    while (place < index.fields.length && isFixed(place)) place++;
    const field = index.fields[place];
    if (field === undefined || field.path.dotted !== wanted.path.dotted || index.multikey.has(place)) return undefined;
    const here = field.descending === wanted.descending ? 'forward' : 'reverse';
    if (direction !== undefined && direction !== here) return undefined;
    direction = here;
    place++;
  }
  return direction ?? 'forward';
}

/** An $or whose branches all have an index: their scans one after another, each document once. */
function union(collection: Collection, all: Predicate[]): Union | undefined {
  for (const either of all) {
    if (!(either instanceof Or)) continue;
    const others = all.filter((one) => one !== either);
    const branches = either.any.map((branch) => plan(collection, new And([...others, branch]), [], undefined));
    const scans = branches.flatMap((branch) =>
      branch.kind === 'IXSCAN' ? [branch] : branch.kind === 'OR' ? branch.branches : [],
    );
    if (scans.length > 0 && branches.every(({ kind }) => kind !== 'COLLSCAN'))
      return { kind: 'OR', branches: scans, givesOrder: false };
  }
  return undefined;
}

function naturalOrder(hint: Hint): number | undefined {
  if (!isDoc(hint) || !hint.has('$natural')) return undefined;
  return Number(String(hint.get('$natural') as Value)) < 0 ? -1 : 1;
}

function hinted(collection: Collection, hint: string | Doc): CollectionIndex {
  const index = collection.indexes.find(
    (one) => !one.building && (typeof hint === 'string' ? one.spec.name === hint : equal(one.spec.key, hint)),
  );
  if (index === undefined) {
    throw badValue(
      'error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index',
    );
  }
  return index;
}

function fullIndexScan(index: CollectionIndex, sort: readonly SortField[]): IndexScan {
  const order = orderOf(index, [], sort);
  const ranges = [indexRange(index.id)];
  return {
    kind: 'IXSCAN',
    index,
    ranges,
    reverse: order === 'reverse',
    givesOrder: order !== undefined,
    isLookup: false,
    bounds: [],
  };
}
