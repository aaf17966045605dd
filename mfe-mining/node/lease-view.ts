import type { MiningSession } from '@cord/contracts/http/mining';
import { DAY_MS } from '@cord/contracts/rules/days';
import { numberToMicro } from '@cord/contracts/rules/money';
import { LEASE_MS } from '@cord/contracts/rules/timings';
import { accruedMicro, dateFormat, formatTime, formatWhen } from '@cord/sdk';
import { formatSpan } from '@cord/ui';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Remaining lease above which there is nothing to extend, ms. */
const IN_TOUCH_MS = LEASE_MS - 5 * MINUTE_MS;
/** How long the extension of a lease is shown, ms. */
const EXTENDED_MS = MINUTE_MS;

/** A press on Extend: its time and the end of the lease at that time, ms by the server's clock. */
export interface Extension {
  atMs: number;
  untilMs: number;
}

export type LeaseState = 'open' | 'less' | 'soon' | 'extending' | 'extended' | 'failed';

interface LeaseNow {
  untilMs: number;
  nowMs: number;
  /** The last press; null before the first. */
  requested: Extension | null;
  saving: boolean;
  /** Number of consecutive failed saves. */
  failures: number;
  /** Whether the server is unreachable. */
  lost: boolean;
}

/** Returns what to show of a lease: the time left, and the outcome of Extend. */
export function leaseState({ untilMs, nowMs, requested, saving, failures, lost }: LeaseNow): LeaseState {
  const leftMs = untilMs - nowMs;
  if (requested !== null && untilMs > requested.untilMs) {
    if (nowMs - requested.atMs < EXTENDED_MS) return 'extended';
  } else if (requested !== null) {
    if (saving) return 'extending';
    if (failures > 0) return 'failed';
  }
  if (leftMs >= IN_TOUCH_MS && !lost) return 'open';
  return leftMs < HOUR_MS ? 'soon' : 'less';
}

/** Formats `4 h 09 min` in whole minutes, at least one; longer times in days and hours. */
export function minutesSpan(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS));
  const rest = minutes % 60;
  const whole = (minutes - rest) * MINUTE_MS;
  if (whole === 0 || rest === 0 || whole >= DAY_MS) return formatSpan(whole || rest * MINUTE_MS);
  return `${formatSpan(whole)} ${rest < 10 ? '0' : ''}${formatSpan(rest * MINUTE_MS)}`;
}

const weekday = dateFormat({ weekday: 'short' });
const midnight = (ms: number) => new Date(ms).setHours(0, 0, 0, 0);

/** Formats `03:12` in local time; with the day when more than one midnight lies between. */
export function clockOf(ms: number, nowMs: number): string {
  const nights = Math.abs(Math.round((midnight(nowMs) - midnight(ms)) / DAY_MS));
  if (nights < 2) return formatTime(ms);
  return nights < 7 ? `${weekday.format(ms)} ${formatTime(ms)}` : formatWhen(ms, nowMs);
}

/** Returns when a paused node stopped earning, ms. */
export function pausedMs({ status, creditedUntil, leaseUntil }: MiningSession): number {
  return Date.parse(status === 'paused' || leaseUntil === null ? creditedUntil : leaseUntil);
}

/**
 * Returns the micro-CORD that a paused node has missed: the server's value, plus the time since at the rate of a new
 * start. It is never credited.
 * @param perMinute CORD per minute
 */
export function missedMicro(session: MiningSession, perMinute: number, nowMs: number): bigint {
  const { missed, serverTime } = session;
  // The server has not reported a node that has just paused.
  const knownUntilMs = missed === undefined ? pausedMs(session) : Date.parse(serverTime);
  const rateNano = BigInt(Math.round(perMinute * 1e9));
  const since = { rateNano, creditedUntilMs: knownUntilMs, leaseUntilMs: Number.POSITIVE_INFINITY };
  return numberToMicro(missed ?? 0) + accruedMicro(since, nowMs);
}
