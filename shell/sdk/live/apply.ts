import type { Epoch } from '@cord/contracts/http/epochs';
import type { MiningSession } from '@cord/contracts/http/mining';
import type { UpdatedUser } from '@cord/contracts/http/users';
import type { LiveKind } from '@cord/contracts/live/kinds';
import { EPOCH_KEY } from '../epoch';
import { textLanguage } from '../i18n';
import { nodeKey } from '../node';
import { rateKey } from '../rate-query';
import { RULES_KEY } from '../rules';
import type { ServerClock } from '../server-clock';
import type { Session } from '../session';
import type { SharedCache } from '../shared-cache';

interface ApplyDeps {
  session: Session;
  cache: SharedCache;
  clock: Pick<ServerClock, 'now'>;
}

type Fields = Record<string, unknown>;

/** Query key of the latest release notice; every tab learns of it. */
export const RELEASE_KEY = ['release'] as const;

/** Query key of the public figures. */
export const STATS_KEY = ['stats'] as const;

/**
 * Applies the state that an event carries, here and in the other tabs. When an event of another release lacks the
 * state, its queries are invalidated instead.
 */
export function applyEvent({ session, cache, clock }: ApplyDeps, kind: LiveKind, data: Fields): void {
  const userId = session.state.get().user?.id;
  if (userId === undefined) return;
  switch (kind) {
    case 'balance':
    case 'user':
      if (isFields(data.updatedUser)) session.merge(data.updatedUser as unknown as UpdatedUser);
      else cache.invalidate([['user', userId]]);
      break;
    case 'node':
      if (data.session === null || isFields(data.session))
        session.observeNode(data.session as MiningSession | null, asOf(data));
      else cache.invalidate([nodeKey(userId)]);
      break;
    case 'rate':
      if (isFields(data.factors)) cache.setData(rateKey(userId), data);
      else cache.invalidate([rateKey(userId)]);
      break;
    case 'epoch':
      cache.invalidate([RULES_KEY]);
      // The event is sent to all users in English; a call returns the reader's language.
      if (Array.isArray(data.epochs) && textLanguage.get() === 'en')
        cache.setData(EPOCH_KEY, inForce(data.epochs as Epoch[], clock.now()));
      else cache.invalidate([EPOCH_KEY]);
      break;
    case 'stats':
      if (typeof data.totalMiners === 'number') cache.setData(STATS_KEY, data);
      else cache.invalidate([STATS_KEY]);
      break;
    case 'release':
      cache.setData(RELEASE_KEY, data);
      break;
    default:
  }
}

/**
 * Returns the server's time of an idle state. This page's clock may lag behind a start that a stop follows at once,
 * which would make the stop older than the start.
 */
function asOf({ serverTime }: Fields): { asOfMs?: number } {
  const asOfMs = typeof serverTime === 'string' ? Date.parse(serverTime) : Number.NaN;
  return Number.isNaN(asOfMs) ? {} : { asOfMs };
}

function inForce(epochs: readonly Epoch[], nowMs: number): Epoch | null {
  return epochs.find(({ startDate, endDate }) => Date.parse(startDate) <= nowMs && nowMs < Date.parse(endDate)) ?? null;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

/** Tracks whether a state is the newest of its kind. Hints are always new, since their order does not matter. */
export function createOrder() {
  const newest = new Map<LiveKind, bigint>();
  return {
    isNew(kind: LiveKind, { seq }: Fields): boolean {
      if (!STATES.has(kind) || typeof seq !== 'string' || !/^\d+$/.test(seq)) return true;
      const known = newest.get(kind);
      if (known !== undefined && BigInt(seq) <= known) return false;
      newest.set(kind, BigInt(seq));
      return true;
    },
    forget: () => newest.clear(),
  };
}

/** Kinds whose events carry a whole state; `balance` and `node` are also ordered by their contents (session.ts). */
const STATES: ReadonlySet<LiveKind> = new Set<LiveKind>(['balance', 'node', 'rate', 'epoch', 'stats']);
