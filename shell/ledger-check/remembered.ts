import type { Chained } from '@cord/contracts/proof/entries';
import { DAY_MS } from '@cord/contracts/rules/days';
import { deviceStorage } from '@cord/sdk';
import type { Before } from './check';

/** Storage key of the known log; it contains no personal data, so it survives sign-out. */
const LOG_KEY = 'cord.ledger-log';
/** Storage key of a user's known entries and last check. */
const OWN_KEY = 'cord.ledger-own';

/** Time without a successful check after which it is reported, ms. */
export const LOST_MS = DAY_MS;

/** Result of the last check of this account in this browser. */
export interface LastCheck {
  /** By the server's clock, ms. */
  atMs: number;
  /** Day of the root. */
  day: string;
  ok: boolean;
  /** Whether the log was restarted. */
  begun?: boolean;
  /** Day whose root was late. */
  lateDay?: string;
}

type Own = Partial<NonNullable<Before['own']>> & {
  account?: string;
  last?: LastCheck;
  /** Time since no check could be made, by the server's clock, ms; absent after a successful one. */
  lostMs?: number;
};

/** Returns the state of an earlier check; empty for another account or an unknown format. */
export function remembered(
  account: string,
): Omit<Before, 'isPart'> & { last: LastCheck | null; lostMs: number | null } {
  const log = read(LOG_KEY) as Partial<NonNullable<Before['log']>> | null;
  const own = read(OWN_KEY) as Own | null;
  const isLog = typeof log?.checkpoint === 'string' && Array.isArray(log.vkeys);
  const isOwn = own?.account === account;
  const from = isOwn ? chained(own.from) : null;
  return {
    log: isLog ? (log as NonNullable<Before['log']>) : null,
    own: from && own?.newest ? { from, newest: own.newest } : null,
    last: isOwn ? (own.last ?? null) : null,
    lostMs: isOwn ? (own.lostMs ?? null) : null,
  };
}

/** Stores the result of a check and the state for the next one; a failed check keeps the previous state. */
export function remember(account: string, next: Pick<Before, 'log' | 'own'>, last: LastCheck): void {
  if (next.log !== null) deviceStorage.setItem(LOG_KEY, JSON.stringify(next.log));
  deviceStorage.setItem(OWN_KEY, JSON.stringify({ account, ...next.own, last }, textOfInteger));
}

/** Stores a failed check and keeps the previous state. @returns time since no check could be made, ms */
export function rememberLost(account: string, nowMs: number): number {
  const kept = read(OWN_KEY) as Own | null;
  const own: Own = kept?.account === account ? kept : { account };
  const lostMs = own.lostMs ?? nowMs;
  deviceStorage.setItem(OWN_KEY, JSON.stringify({ ...own, lostMs }));
  return lostMs;
}

/** Notes that everything could be read, though no root is expected yet. */
export function forgetLost(account: string): void {
  const own = read(OWN_KEY) as Own | null;
  if (own?.account !== account) return;
  const { lostMs: _lostMs, ...kept } = own;
  deviceStorage.setItem(OWN_KEY, JSON.stringify(kept));
}

/** Deletes the known log and entries, so that the next check is the first of a restarted log. */
export function forgetChecks(): void {
  deviceStorage.removeItem(LOG_KEY);
  deviceStorage.removeItem(OWN_KEY);
}

const textOfInteger = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

function read(key: string): unknown {
  try {
    return JSON.parse(deviceStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

function chained(kept: unknown): Chained | null {
  const { n, seq, head, balanceMicro, recomputed } = (kept ?? {}) as Record<string, unknown>;
  if (typeof n !== 'number' || typeof head !== 'string' || typeof recomputed !== 'number') return null;
  try {
    return { n, head, recomputed, seq: BigInt(seq as string), balanceMicro: BigInt(balanceMicro as string) };
  } catch {
    return null;
  }
}
