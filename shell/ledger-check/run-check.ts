import { root } from '@cord/contracts/addresses/log';
import { ledger } from '@cord/contracts/addresses/mining';
import type { ResponseOf } from '@cord/contracts/calls';
import { begunAfter } from '@cord/contracts/proof/history';
import { readCheckpoint } from '@cord/contracts/proof/note';
import { type LogRecord, readDayRecord, readLogRecord } from '@cord/contracts/proof/records';
import { DAY_MS, dayKey } from '@cord/contracts/rules/days';
import { ApiError, type Sdk } from '@cord/sdk';
import type { Checked, CheckInput } from './check';
import type { WorkerAnswer } from './check-worker';
import { type CheckParts, type NoParts, type ReadLog, readParts } from './read-parts';
import { remember, remembered } from './remembered';

/** A root is published so long after the end of its day, ms. */
const PUBLISHED_MS = 600_000;
/** It is late after so long, ms. */
const LATE_MS = 20 * 60_000;

/** How a check reads the log and computes; tests have their own. */
export interface CheckEngine {
  run?: RunCheck;
  log?: ReadLog;
}

/** A check that came to an end, whatever it found. */
export interface CheckEnd {
  checked: Checked;
  parts: CheckParts;
  /** Of the root, `2026-11-26`. */
  day: string;
  /** When it ended, by the server's clock, and how long it took, ms. */
  atMs: number;
  tookMs: number;
  /** The day whose root should be there and is not; null when it is. */
  lateDay: string | null;
}

/** A check that found no root with the account. */
export interface NoRoot {
  /**
   * `first`: nothing was to be expected. `begun`: the log was begun anew after the one that this browser knows, and its first root is not late yet.
   * `left-out`: a root that this browser checked had the account, or the root of a day after the first entry is there. `late`: such a root is not there.
   * `gone`: this browser knows a log, and there is none.
   */
  noRoot: 'first' | 'begun' | 'left-out' | 'late' | 'gone';
  /** The day of the first entry, and the day whose root has to have it; null where none has to. */
  entered: { day: string; due: string } | null;
  /** The first record of the log that was begun anew. */
  begun: LogRecord | null;
  /** By the server's clock, ms. */
  atMs: number;
}

/** The last day whose root should be there. */
const dueDay = (nowMs: number): string => dayKey(nowMs - LATE_MS - DAY_MS);

/** Midnight at the beginning of the day whose roots is published next, ms: the root is published ten minutes after it. */
export function nextRootMs(nowMs: number): number {
  return Math.floor((nowMs - PUBLISHED_MS) / DAY_MS + 1) * DAY_MS;
}

/** Whether every part of a check holds. */
export const isRight = ({ verdict, history, begun }: Checked): boolean =>
  verdict.ok && history === null && begun === null;

/** Whether all that stands in the way is that the log was begun anew: the user decides whether this browser goes on with it. */
export const isBegun = ({ history, begun }: Checked): boolean => begun !== null && history === null;

interface CheckOptions extends CheckEngine {
  /** Leaves out what this browser has checked before: for the check of each day. */
  isPart: boolean;
  signal: AbortSignal;
  /** Everything is read, the computing begins. */
  onRead?: () => void;
}

/**
 * Checks the ledger of an account against the last root, and keeps what the next check needs.
 * @throws ApiError, Error where something could not be read
 */
export async function runCheck(
  { api, clock }: Pick<Sdk, 'api' | 'clock'>,
  account: string,
  { isPart, signal, onRead, run = checkInWorker, log }: CheckOptions,
): Promise<CheckEnd | NoRoot> {
  const beganMs = performance.now();
  const noRoot = (found: NoParts) => withoutRoot(api, account, found, { atMs: clock.now(), signal });
  const { log: known, own } = remembered(account);
  const leavesOut = isPart && own !== null;
  let parts = await readParts(api, { account, after: leavesOut ? own.from.n : 0, log }, signal);
  if ('isEmpty' in parts) return noRoot(parts);
  onRead?.();
  let checked = await run(
    { account, ...parts, nowMs: clock.now(), before: { log: known, own, isPart: leavesOut } },
    signal,
  );
  if (isBegun(checked) && !checked.verdict.ok) {
    // Entries that are lost are no failure of the new log; a proof that fails without what was seen before is one.
    const whole = leavesOut ? await readParts(api, { account, after: 0, log }, signal) : parts;
    if ('isEmpty' in whole) return noRoot(whole);
    const before = { log: known, own: null, isPart: false };
    const anew = await run({ account, ...whole, nowMs: clock.now(), before }, signal);
    if (!anew.verdict.ok) {
      parts = whole;
      checked = { ...anew, begun: null };
    }
  }
  const atMs = clock.now();
  const day = readDayRecord(parts.proof.record)?.day ?? parts.proof.leaf.day;
  const ok = isRight(checked);
  const due = dueDay(atMs);
  const lateDay = day < due ? due : null;
  remember(account, ok && checked.next ? checked.next : { log: null, own }, {
    ...{ atMs, day, ok },
    ...(isBegun(checked) ? { begun: true } : {}),
    ...(ok && lateDay !== null ? { lateDay } : {}),
  });
  return { checked, parts, day, atMs, tookMs: performance.now() - beganMs, lateDay };
}

/** What it means that there is no root with the account, by what this browser has seen and by the first entry; that stays. */
async function withoutRoot(
  api: Pick<Sdk['api'], 'call'>,
  account: string,
  { isEmpty, begun: text }: NoParts,
  { atMs, signal }: { atMs: number; signal: AbortSignal },
): Promise<NoRoot> {
  const { log, own } = remembered(account);
  const [seen, record] = [readCheckpoint(log?.checkpoint ?? ''), readLogRecord(text ?? '')];
  const isNew = record !== null && atMs - record.atMs < LATE_MS;
  const begun = isNew && seen ? begunAfter(seen, record, text ?? '') : null;
  const wasIn = own !== null || (isEmpty && log !== null);
  const entered = wasIn ? null : await enteredBefore(api, account, { due: dueDay(atMs), signal });
  if (!wasIn && !entered) return { noRoot: 'first', begun: null, entered, atMs };
  if (entered && !(await hasRoot(api, entered.due, signal))) return { noRoot: 'late', begun: null, entered, atMs };
  remember(account, { log: null, own }, { atMs, day: '', ok: false, ...(begun ? { begun: true } : {}) });
  return { noRoot: begun ? 'begun' : isEmpty && wasIn ? 'gone' : 'left-out', begun, entered, atMs };
}

/** The day of the first entry where it is before the day whose root should be there: an entry of that day itself may have come after its root was made. */
async function enteredBefore(
  api: Pick<Sdk['api'], 'call'>,
  account: string,
  { due, signal }: { due: string; signal: AbortSignal },
): Promise<NoRoot['entered']> {
  const query = { after: '0', limit: '1' };
  const { entries }: ResponseOf<typeof ledger> = await api.call(ledger, { params: { id: account }, query, signal });
  const [first] = entries;
  const day = first && dayKey(Date.parse(first.at));
  return day !== undefined && day < due ? { day, due } : null;
}

async function hasRoot(api: Pick<Sdk['api'], 'call'>, day: string, signal: AbortSignal): Promise<boolean> {
  try {
    await api.call(root, { params: { day }, signal });
    return true;
  } catch (error) {
    // One that is still to come is late here.
    if (error instanceof ApiError && (error.type === 'no-root' || error.type === 'root-pending')) return false;
    throw error;
  }
}

/** Runs a check; the page answers all the while. @throws Error where the worker does not load or fails; the signal's reason when it is aborted */
export type RunCheck = (input: CheckInput, signal: AbortSignal) => Promise<Checked>;

/** Runs a check in a worker of its own, which ends with it. */
const checkInWorker: RunCheck = (input, signal) =>
  new Promise<Checked>((resolve, reject) => {
    signal.throwIfAborted();
    const worker = new Worker(new URL('./check-worker', import.meta.url), { name: 'ledger-check' });
    const end = () => {
      signal.removeEventListener('abort', abort);
      worker.terminate();
    };
    const abort = () => {
      end();
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
      end();
      if ('checked' in data) resolve(data.checked);
      else reject(new Error(data.failed));
    };
    worker.onerror = ({ message }) => {
      end();
      reject(new Error(message));
    };
    worker.postMessage(input);
  });
