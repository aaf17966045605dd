import { type Sha256, sameBytes } from './bytes.js';
import { logJoin } from './log-tree.js';
import type { Checkpoint } from './note.js';
import { type LogRecord, readDayRecord, readKeyRecord, readLogRecord } from './records.js';
import { endOfDay } from './rules.js';
import { consistencyProof, isConsistent, rootOf } from './tree.js';

/* One history for all: what ties two looks at a log together, and a look at it to others. */

/**
 * Whether a checkpoint goes on from one that was seen before.
 * @param proof hashes of a consistency proof (RFC 9162, 2.1.4)
 * @returns null when it does; else what is wrong
 */
export function historyFault(
  sha256: Sha256,
  seen: Checkpoint,
  now: Checkpoint,
  proof: readonly Uint8Array[],
): string | null {
  if (now.origin !== seen.origin) return `it is of ${now.origin}, the one before of ${seen.origin}`;
  if (now.size < seen.size) return `the log shrank from ${seen.size} to ${now.size}`;
  if (now.size === seen.size)
    return sameBytes(now.root, seen.root) ? null : `there are two roots of the size ${now.size}`;
  return isConsistent(seen, now, proof, logJoin(sha256), sameBytes)
    ? null
    : `the log of size ${now.size} does not go on from the one of size ${seen.size}`;
}

/**
 * Whether a log was begun anew after one that was seen before: its first record names the last state of that log.
 * @param seen a checkpoint of the log before
 * @param first the text of the first record
 * @returns that record; null where it is none, or names another root of what was seen, or less than what was seen
 */
export function begunAfter(seen: Checkpoint, now: Pick<Checkpoint, 'origin'>, first: string): LogRecord | null {
  const record = readLogRecord(first);
  if (record?.origin !== now.origin || now.origin === seen.origin) return null;
  const last = record.before.find(({ origin }) => origin === seen.origin);
  if (!last || last.size < seen.size) return null;
  return last.size > seen.size || sameBytes(last.root, seen.root) ? record : null;
}

/**
 * Whether the records of a log make its checkpoint, and it goes on from others.
 * @param hashes of all its records, in order
 * @param seen checkpoints from before
 * @returns null when all holds; else what is wrong
 */
export function logFault(
  sha256: Sha256,
  hashes: readonly Uint8Array[],
  now: Checkpoint,
  seen: readonly Checkpoint[],
): string | null {
  const join = logJoin(sha256);
  if (hashes.length !== now.size || hashes.length === 0 || !sameBytes(rootOf(hashes, join), now.root))
    return `${hashes.length} records do not make the root of size ${now.size}`;
  for (const before of seen) {
    const proof = before.size > 0 && before.size < now.size ? consistencyProof(hashes, before.size, join) : [];
    const fault = historyFault(sha256, before, now, proof);
    if (fault) return fault;
  }
  return null;
}

/**
 * Whether the days of a log rise, up to now: two records of one day could hold two trees, each with the accounts that the other leaves out, and so could
 * two days of which one is still to come.
 * @param records texts of one log, in order; those of keys and of the log have no day
 * @param nowMs ms since epoch; absent where nobody knows it, and then a day may be one to come
 * @returns null when each day has one record, behind those of the days before; else what is wrong
 */
export function dayRecordsFault(records: readonly string[], nowMs = Number.POSITIVE_INFINITY): string | null {
  let last = '';
  for (const text of records) {
    const day = readDayRecord(text)?.day;
    if (day === undefined) continue;
    if (day === last) return `there are two records of ${day}`;
    if (day < last) return `the record of ${day} stands behind the one of ${last}`;
    last = day;
  }
  if (last !== '' && endOfDay(last) > nowMs) return `the record of ${last} was made before the end of that day`;
  return null;
}

/**
 * The key that signs a log of some records: of the last record of a key. A key before it only vouches for it, and signs nothing by itself.
 * @param first the first key of the log
 * @returns null where a key has come back: after its rotation a key is never that of the log again
 */
export function signingKey(records: readonly string[], first: string): string | null {
  const keys = [first, ...records.flatMap((text) => readKeyRecord(text)?.vkey ?? [])];
  return new Set(keys).size === keys.length ? (keys.at(-1) ?? null) : null;
}
