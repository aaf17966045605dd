import { NOBODY } from '@cord/contracts/events/envelope';
import { sameBytes, utf8 } from '@cord/contracts/proof/bytes';
import { logJoin, recordHash } from '@cord/contracts/proof/log-tree';
import { type Checkpoint, readCheckpoint, readNote } from '@cord/contracts/proof/note';
import { logRecordText, readLogRecord } from '@cord/contracts/proof/records';
import { rootOf } from '@cord/contracts/proof/tree';
import type { AuditLog } from '@cord/kit/audit-log';
import { sha256 } from '../ledger/chain.js';
import type { RootStore } from './store.js';

/** A log is not begun anew, or does not go on; the message gives the reason. */
export class LogRefused extends Error {}

interface Begin {
  /** Shown to users: one line of 1 to 200 characters. */
  reason: string;
  /** The last checkpoint of the log that users saw, where it is larger than the one stored: three lines, or the signed note. */
  checkpoint?: string | undefined;
  nowMs: number;
  /** The user of the operating system: of the entry in the audit log. */
  by: string;
  /** The entry is written before the log is begun. */
  audit: Pick<AuditLog, 'write'>;
}

/**
 * Begins the log anew, under another name: for a log that cannot go on, because its accounts were set back or its key is lost. One write, the
 * first record of the new log. It takes the next place among the records of all logs, so that nothing is added to the log before it any more;
 * and it names the last state of that log, so that browsers can distinguish it from a fork. The daily job signs it and makes the next root.
 * @param store the newest log
 * @returns the text of the record
 * @throws LogRefused where nothing is to be begun, or something that is given is not valid: nothing is written
 */
export async function beginLog(store: RootStore, { reason, checkpoint, nowMs, by, audit }: Begin): Promise<string> {
  const [log, records] = [await store.log(), await store.records()];
  const first = readLogRecord(records[0]?.text ?? '');
  if (!log) {
    const begun = first && `the log ${first.origin} was begun at ${new Date(first.atMs).toISOString()}, and`;
    throw new LogRefused(`${begun ?? 'the log'} has no signed checkpoint yet: there is nothing to begin anew`);
  }
  const { origin } = log;
  const hashes = records.map(({ text }) => recordHash(sha256, utf8(text)));
  const stored = { origin, size: records.length, root: rootOf(hashes, logJoin(sha256)) };
  const before = [...(first?.before ?? []), checkpoint === undefined ? stored : lastSeen(checkpoint, stored)];
  const next = `${before[0]?.origin}/${before.length + 1}`;
  const text = textOf({ origin: next, before, atMs: nowMs, reason });
  const doc = { day: '', text, run: '', shuffle: '', accounts: 0, atMs: nowMs, origin: next };
  await audit.write({
    ...{ adminId: NOBODY, action: 'log.begin', target: next },
    detail: { before: stored.origin, after: next, reason, by },
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

/** The checkpoint that users saw last, as it is given. @throws LogRefused where it is not one of this log, or is smaller than what is stored */
function lastSeen(text: string, stored: Checkpoint): Checkpoint {
  const seen = checkpointIn(text, stored.origin);
  if (seen.size < stored.size)
    throw new LogRefused(`checkpoint: of size ${seen.size}, the store has ${stored.size} records`);
  return seen;
}

/** @param text three lines, or a signed note @throws LogRefused where it is no checkpoint of the log of this name */
function checkpointIn(text: string, origin: string): Checkpoint {
  const seen = readCheckpoint(readNote(text)?.text ?? `${text.trimEnd()}\n`);
  if (!seen) throw new LogRefused('checkpoint: neither three lines nor a signed note');
  if (seen.origin !== origin) throw new LogRefused(`checkpoint: of ${seen.origin}, not of ${origin}`);
  return seen;
}

interface Continue extends Pick<Begin, 'by' | 'audit'> {
  /** The newest checkpoint that anybody holds: three lines, or the signed note. */
  checkpoint: string;
}

/**
 * Lets the daily job go on with a log that came out of a backup: a person confirms that users saw no more of it than is stored.
 * @param store the newest log
 * @throws LogRefused where users saw more, or another log: nothing is written
 */
export async function continueLog(store: RootStore, { checkpoint, by, audit }: Continue): Promise<void> {
  const [log, records, head] = [await store.log(), await store.records(), await store.lastHead()];
  if (!(await store.isRestored()))
    throw new LogRefused('the log did not come out of a backup: it goes on without this command');
  const origin = log?.origin ?? store.origin;
  if (origin === null) throw new LogRefused('the log was not signed before the backup: import a newer one');
  const { size, root } = checkpointIn(checkpoint, origin);
  const signed = head?._id ?? 1;
  if (size < signed) throw new LogRefused(`checkpoint: of size ${size}, the store has signed size ${signed}`);
  const anew = 'begin the log anew after this checkpoint';
  if (size > records.length)
    throw new LogRefused(
      `checkpoint: of size ${size}, the store has ${records.length} records: import a newer backup, or ${anew}`,
    );
  const hashes = records.slice(0, size).map(({ text }) => recordHash(sha256, utf8(text)));
  if (!sameBytes(rootOf(hashes, logJoin(sha256)), root))
    throw new LogRefused(`checkpoint: another root of size ${size} than the store has: ${anew}`);
  await audit.write({ adminId: NOBODY, action: 'log.continue', target: origin, detail: { size, by } });
  await store.confirmRestored();
}
