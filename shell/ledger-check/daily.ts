import { dayKey } from '@cord/contracts/rules/days';
import { formatDate, formatDayKey, type Sdk } from '@cord/sdk';
import { LOST_MS, remembered, rememberLost } from './remembered';
import { type CheckEngine, isBegun, isRight, runCheck } from './run-check';
import { CHECK_TEXTS } from './texts';

/** Wait after a failed check, ms. */
const AGAIN_MS = 600_000;
const tried = new WeakMap<object, number>();
/** Pages that have reported a failed check. */
const reported = new WeakSet<object>();

/** Whether this browser has not checked this account on this UTC day, or found the root late. */
export function isDue(account: string, nowMs: number): boolean {
  const { last } = remembered(account);
  return last === null || last.lateDay !== undefined || dayKey(last.atMs) !== dayKey(nowMs);
}

/**
 * Checks what this browser has not checked before. It reports a mismatch, and once a late root. A failed read is
 * retried later; after a day of failures it is reported, since a withheld proof shows no mismatch.
 */
export async function checkToday(
  sdk: Pick<Sdk, 'api' | 'clock' | 'toasts'>,
  account: string,
  { signal, ...engine }: CheckEngine & { signal: AbortSignal },
): Promise<void> {
  const nowMs = sdk.clock.now();
  if (!isDue(account, nowMs) || nowMs - (tried.get(sdk.api) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) return;
  tried.set(sdk.api, nowMs);
  const { lateDay: knownLate } = remembered(account).last ?? {};
  const end = await runCheck(sdk, account, { ...engine, isPart: true, signal }).catch(() => null);
  if (signal.aborted) return;
  const t = CHECK_TEXTS.get();
  const show = (kind: 'info' | 'error', title: string, text: string) =>
    sdk.toasts.show({ kind, id: 'ledger-check', title, text, durationMs: 60_000 });
  if (end === null || ('noRoot' in end && end.noRoot === 'late')) {
    const lostMs = rememberLost(account, nowMs);
    if (nowMs - lostMs < LOST_MS || reported.has(sdk.api)) return;
    reported.add(sdk.api);
    show('info', t.lost, t.lostSince({ date: formatDate(lostMs) }));
    return;
  }
  const isOk = 'noRoot' in end ? end.noRoot === 'first' : isRight(end.checked);
  const isAnew = 'noRoot' in end ? end.noRoot === 'begun' : isBegun(end.checked);
  if (isAnew) show('info', t.begunRow, t.begunAlertText);
  else if (!isOk) show('error', t.alert, t.alertText);
  else if (!('noRoot' in end) && end.lateDay !== null && end.lateDay !== knownLate)
    show('info', t.late({ day: formatDayKey(end.lateDay) }), t.lateText({ day: formatDayKey(end.day) }));
}
