import { NOBODY } from '@cord/contracts/events/envelope';
import { sameBytes } from '@cord/contracts/proof/bytes';
import { logJoin } from '@cord/contracts/proof/log-tree';
import { type Checkpoint, readCheckpoint, readNote } from '@cord/contracts/proof/note';
import { logRecordText, readLogRecord } from '@cord/contracts/proof/records';
import { rootOf } from '@cord/contracts/proof/tree';
import type { AuditLog } from '@cord/kit/audit-log';
import { sha256 } from '../ledger/chain.js';
import { hashesOf } from './log.js';
import type { RecordDoc, RootStore } from './store.js';

/** A log cannot be begun anew or continued; the message gives the reason. */
export class LogRefused extends Error {}

interface Begin {
  /** Shown to users: one line of 1 to 200 characters. */
  reason: string;
  /**
   * The last checkpoint that users saw and the store has lost: of this log, or of a later one begun after a backup.
   * Three lines, or the signed note.
   */
  checkpoint?: string | undefined;
  nowMs: number;
  /** The user of the operating system, for the entry in the audit log. */
  by: string;
  /** The entry is written before the log is begun. */
  audit: Pick<AuditLog, 'write'>;
}

/**
 * Begins the log anew under another name, when it cannot continue: its accounts were set back or its key is lost. One write adds
 * the first record of the new log, at the next index over all logs, so that the old log can no longer grow. It names the last
 * state of the old log, so that browsers can distinguish it from a fork. The daily job signs it and makes the next root.
 * @param store the newest log
 * @returns the text of the record
 * @throws LogRefused when there is nothing to begin, or an argument is invalid: nothing is written
 */
export async function beginLog(store: RootStore, { reason, checkpoint, nowMs, by, audit }: Begin): Promise<string> {
  const [log, records] = [await store.log(), await store.records()];
  const first = readLogRecord(records[0]?.text ?? '');
  // The log of a backup may have been signed after the backup.
  if (!log && !(await store.isRestored())) {
    const begun = first && `the log ${first.origin} was begun at ${new Date(first.atMs).toISOString()}, and`;
    throw new LogRefused(`${begun ?? 'the log'} has no signed checkpoint yet: nothing to begin anew`);
  }
  const seen = checkpoint === undefined ? null : parseCheckpoint(checkpoint);
  const origin = log?.origin ?? store.origin ?? (seen && parseOrigin(seen.origin).first);
  if (origin === null || (records.length === 0 && !seen))
    throw new LogRefused(
      'the log was not signed before the backup: pass the last checkpoint that users saw, or confirm with "log continue --none" that there is none',
    );
  const before = [...(first?.before ?? []), ...lastStates(origin, records, seen)];
  const next = `${parseOrigin(origin).first}/${parseOrigin(before.at(-1)?.origin ?? origin).n + 1}`;
  const text = textOf({ origin: next, before, atMs: nowMs, reason });
  const doc = { day: '', text, run: '', shuffle: '', accounts: 0, atMs: nowMs, origin: next };
  await audit.write({
    ...{ adminId: NOBODY, action: 'log.begin', target: next },
    detail: { before: origin, after: next, reason, by },
  });
  if (!(await store.addRecord({ ...doc, _id: records.length })))
    throw new LogRefused('a root was added meanwhile: run the command again');
  return text;
}

function textOf(record: Parameters<typeof logRecordText>[0]): string {
  try {
    return logRecordText(record);
  } catch (error) {
    throw error instanceof RangeError ? new LogRefused(error.message) : error;
  }
}

/** Splits a log's name `<first>/<n>`; the first log has no number. */
function parseOrigin(origin: string): { first: string; n: number } {
  const [, first = origin, n = '1'] = /^(.+)\/([2-9]|[1-9]\d{1,8})$/.exec(origin) ?? [];
  return { first, n: Number(n) };
}

const isLaterLog = (one: string, other: string): boolean =>
  parseOrigin(one).first === parseOrigin(other).first && parseOrigin(one).n > parseOrigin(other).n;

/**
 * Returns the last state of the log that users saw, and that of a later log which the store has lost.
 * @throws LogRefused for a checkpoint of another log, or one smaller than the stored log
 */
function lastStates(origin: string, records: readonly RecordDoc[], seen: Checkpoint | null): Checkpoint[] {
  const size = records.length;
  const stored = size > 0 ? [{ origin, size, root: rootOfRecords(records) }] : [];
  if (seen === null) return stored;
  if (isLaterLog(seen.origin, origin)) return [...stored, seen];
  if (seen.origin !== origin) throw new LogRefused(`checkpoint: belongs to ${seen.origin}, not to ${origin}`);
  if (seen.size < size) throw new LogRefused(`checkpoint: has size ${seen.size}, but the store has ${size} records`);
  return [seen];
}

/** @param text three lines, or a signed note @throws LogRefused when it is neither */
function parseCheckpoint(text: string): Checkpoint {
  const seen = readCheckpoint(readNote(text)?.text ?? `${text.trimEnd()}\n`);
  if (!seen) throw new LogRefused('checkpoint: neither three lines nor a signed note');
  return seen;
}

interface Continue extends Pick<Begin, 'by' | 'audit'> {
  /** The newest known checkpoint of the log: three lines, or the signed note. Null: none was published. */
  checkpoint: string | null;
}

/**
 * Lets the daily job continue a log from a backup: an operator confirms that users saw no more than the stored records.
 * @param store the newest log
 * @throws LogRefused when users saw more, or another log: nothing is written
 */
export async function continueLog(store: RootStore, { checkpoint, by, audit }: Continue): Promise<void> {
  const [log, records, head] = [await store.log(), await store.records(), await store.lastHead()];
  if (!(await store.isRestored()))
    throw new LogRefused('the log was not restored from a backup: it continues without this command');
  const origin = log?.origin ?? store.origin;
  const seen = checkpoint === null ? null : parseCheckpoint(checkpoint);
  const fault = seen
    ? seenFault(seen, origin, records, head?._id)
    : head && `${origin} has a signed checkpoint of size ${head._id}: pass the newest one that exists outside`;
  if (fault) throw new LogRefused(fault);
  const detail = { size: seen?.size ?? 0, by };
  await audit.write({ adminId: NOBODY, action: 'log.continue', target: origin ?? seen?.origin ?? '', detail });
  await store.confirmRestored();
}

/**
 * Returns why a log cannot continue after the checkpoint that users saw, or null.
 * @param origin null when the name of the log is unknown
 * @param signed the size signed here
 * @returns the reason
 */
function seenFault(
  seen: Checkpoint,
  origin: string | null,
  records: readonly RecordDoc[],
  signed: number | undefined,
): string | null {
  const { size, root } = seen;
  const anew = 'begin the log anew after this checkpoint';
  if (origin !== null && seen.origin !== origin) {
    const another = `checkpoint: belongs to ${seen.origin}, not to ${origin}`;
    if (isLaterLog(seen.origin, origin)) return `${another}: import a newer backup, or ${anew}`;
    return signed === undefined ? `${another}: if ${origin} has none outside, confirm with --none` : another;
  }
  if (size < (signed ?? 1)) return `checkpoint: has size ${size}, but the store has signed size ${signed ?? 1}`;
  if (size > records.length)
    return `checkpoint: has size ${size}, but the store has ${records.length} records: import a newer backup, or ${anew}`;
  return sameBytes(rootOfRecords(records.slice(0, size)), root)
    ? null
    : `checkpoint: its root of size ${size} differs from the store’s: ${anew}`;
}

const rootOfRecords = (records: readonly RecordDoc[]) => rootOf(hashesOf(records), logJoin(sha256));
