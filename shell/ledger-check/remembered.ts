import type { Chained } from '@cord/contracts/proof/entries';
import { DAY_MS } from '@cord/contracts/rules/days';
import { deviceStorage } from '@cord/sdk';
import type { Before } from './check';

/** What is known of the log: it names nobody, so it stays when a person signs out. */
const LOG_KEY = 'cord.ledger-log';
/** What is known of a person's entries, and how their last check ended. */
const OWN_KEY = 'cord.ledger-own';

/** Where no check could be made for so long, it is reported, ms. */
export const LOST_MS = DAY_MS;

/** The end of the last check of this account in this browser. */
export interface LastCheck {
  /** By the server's clock, ms. */
  atMs: number;
  /** Of the root. */
  day: string;
  ok: boolean;
  /** It found that the log was begun anew. */
  begun?: boolean;
  /** The day whose root was late then. */
  lateDay?: string;
}

type Own = Partial<NonNullable<Before['own']>> & {
  account?: string;
  last?: LastCheck;
  /** Since when no check of a day could be made, by the server's clock, ms; absent after one that was made. */
  lostMs?: number;
};

/** What an earlier check left; nothing of it where it is of another account or has no known form. */
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

/** Keeps how a check ended, and what the next one goes on from; of a check that failed, what was known before stays. */
export function remember(account: string, next: Pick<Before, 'log' | 'own'>, last: LastCheck): void {
  if (next.log !== null) deviceStorage.setItem(LOG_KEY, JSON.stringify(next.log));
  deviceStorage.setItem(OWN_KEY, JSON.stringify({ account, ...next.own, last }, textOfInteger));
}

/** Keeps that a check could not be made; what was known before stays. @returns since when none could, ms */
export function rememberLost(account: string, nowMs: number): number {
  const kept = read(OWN_KEY) as Own | null;
  const own: Own = kept?.account === account ? kept : { account };
  const lostMs = own.lostMs ?? nowMs;
  deviceStorage.setItem(OWN_KEY, JSON.stringify({ ...own, lostMs }));
  return lostMs;
}

/** Forgets the log and the entries of an earlier check: the next one is the first of a log that was begun anew. */
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
