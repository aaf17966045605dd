import { root as rootOfDay } from '@cord/contracts/addresses/log';
import { ledger } from '@cord/contracts/addresses/mining';
import type { ResponseOf } from '@cord/contracts/calls';
import { begunAfter } from '@cord/contracts/proof/history';
import { readCheckpoint } from '@cord/contracts/proof/note';
import { type LogRecord, readDayRecord, readLogRecord } from '@cord/contracts/proof/records';
import { DAY_MS, dayKey } from '@cord/contracts/rules/days';
import type { Sdk } from '@cord/sdk';
import type { Checked, CheckInput } from './check';
import type { WorkerAnswer } from './check-worker';
import { orNoRoot } from './no-root';
import { type CheckParts, type NoParts, type ReadLog, readParts } from './read-parts';
import { forgetLost, remember, remembered } from './remembered';

/** Time from the end of a day to its root, ms. */
const PUBLISHED_MS = 600_000;
/** Time after which a root is late, ms. */
const LATE_MS = 20 * 60_000;

/** Reads the log and runs the check; tests provide their own. */
export interface CheckEngine {
  run?: RunCheck;
  log?: ReadLog;
}

/** A finished check, with any result. */
export interface CheckEnd {
  checked: Checked;
  parts: CheckParts;
  /** Day of the root, `2026-11-26`. */
  day: string;
  /** End by the server's clock, and duration, ms. */
  atMs: number;
  tookMs: number;
  /** Day with an overdue root; null when there is none. */
  lateDay: string | null;
}

/** A check that found no root with the account. */
export interface NoRoot {
  /**
   * `first`: no root is expected yet. `begun`: the log was restarted after the known one, and its first root is not
   * late yet. `left-out`: a checked root had the account, or a root after the first entry exists without it. `late`:
   * such a root is missing. `gone`: this browser knows a log, and there is none.
   */
  noRoot: 'first' | 'begun' | 'left-out' | 'late' | 'gone';
  /** Day of the first entry, and the day whose root must include it; null when none must. */
  entered: { day: string; due: string } | null;
  /** First record of a restarted log. */
  begun: LogRecord | null;
  /** By the server's clock, ms. */
  atMs: number;
}

/** Returns the last day whose root is due. */
const dueDay = (nowMs: number): string => dayKey(nowMs - LATE_MS - DAY_MS);

/** Returns the midnight at the start of the next publication, ms; the root follows ten minutes later. */
export function nextRootMs(nowMs: number): number {
  return Math.floor((nowMs - PUBLISHED_MS) / DAY_MS + 1) * DAY_MS;
}

/** Whether all parts of a check pass. */
export const isRight = ({ verdict, history, begun }: Checked): boolean =>
  verdict.ok && history === null && begun === null;

/** Whether the only obstacle is a restart of the log, which the user may accept. */
export const isBegun = ({ history, begun }: Checked): boolean => begun !== null && history === null;

interface CheckOptions extends CheckEngine {
  /** Leaves out what this browser has checked before, for the daily check. */
  isPart: boolean;
  signal: AbortSignal;
  /** Called when all data is read and the computation starts. */
  onRead?: () => void;
}

/**
 * Checks an account's ledger against the last root, and stores the state for the next check.
 * @throws ApiError, Error when data could not be read
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
    // Lost entries are no mismatch of the new log; a proof that fails without the earlier state is one.
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

/** Explains a missing root by this browser's state and the first entry, which never changes. */
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
  if (!wasIn && !entered) {
    forgetLost(account);
    return { noRoot: 'first', begun: null, entered, atMs };
  }
  // A root that is still to come counts as late here.
  const root = entered && (await orNoRoot(api.call(rootOfDay, { params: { day: entered.due }, signal })));
  if (entered && root === null) return { noRoot: 'late', begun: null, entered, atMs };
  remember(account, { log: null, own }, { atMs, day: '', ok: false, ...(begun ? { begun: true } : {}) });
  return { noRoot: begun ? 'begun' : isEmpty && wasIn ? 'gone' : 'left-out', begun, entered, atMs };
}

/** Returns the day of the first entry, if it precedes the day with a due root. An entry of that day itself may be later than its root. */
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

/** Runs a check without blocking the page. @throws Error when the worker does not load or fails; the signal's reason when aborted */
export type RunCheck = (input: CheckInput, signal: AbortSignal) => Promise<Checked>;

/** Runs a check in its own worker and terminates it. */
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
