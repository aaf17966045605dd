import type { Sdk } from '@cord/sdk';
import { remembered } from './remembered';
import { type CheckEngine, isBegun, isRight, runCheck, utcDay } from './run-check';
import { CHECK_TEXTS } from './texts';

/** After a check that could not be made this page waits so long, ms. */
const AGAIN_MS = 600_000;
const tried = new WeakMap<object, number>();

/** Whether this browser has not checked this account on this day of UTC. */
export function isDue(account: string, nowMs: number): boolean {
  const { last } = remembered(account);
  return last === null || utcDay(last.atMs) < utcDay(nowMs);
}

/** Checks what this browser has not checked before, and reports a difference. What could not be read is left to the next look. */
export async function checkToday(
  sdk: Pick<Sdk, 'api' | 'clock' | 'toasts'>,
  account: string,
  { signal, ...engine }: CheckEngine & { signal: AbortSignal },
): Promise<void> {
  const nowMs = sdk.clock.now();
  if (!isDue(account, nowMs) || nowMs - (tried.get(sdk.api) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) return;
  tried.set(sdk.api, nowMs);
  const end = await runCheck(sdk, account, { ...engine, isPart: true, signal }).catch(() => null);
  if (end === null || isRight(end.checked)) return;
  const t = CHECK_TEXTS.get();
  if (isBegun(end.checked)) {
    sdk.toasts.show({
      kind: 'info',
      id: 'ledger-check',
      title: t.begunRow,
      text: t.begunAlertText,
      durationMs: 60_000,
    });
    return;
  }
  sdk.toasts.show({ kind: 'error', id: 'ledger-check', title: t.alert, text: t.alertText, durationMs: 60_000 });
}
