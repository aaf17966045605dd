import type { MiningSession } from '@cord/contracts/http/mining';
import type { UpdatedUser, User } from '@cord/contracts/http/users';
import { numberToMicro } from '@cord/contracts/rules/money';
import type { Broadcast } from './broadcast';
import type { ServerClock } from './server-clock';
import { welcomePerson } from './storage';
import { createStore, type Store } from './store';

/** Who is signed in. `loading` until the first answer of /auth/me. */
export type SessionState =
  | { status: 'loading'; user: null }
  | { status: 'signed-out'; user: null }
  | { status: 'signed-in'; user: User };

/** The balance as the server last sent it, and when that was true by the server's clock. */
export interface KnownBalance {
  micro: bigint;
  asOfMs: number;
}

export interface Session {
  state: Store<SessionState>;
  /** Null while unknown. */
  balance: Store<KnownBalance | null>;
  /** The running or paused mining session; null when the node is idle, undefined while that is unknown. */
  node: Store<MiningSession | null | undefined>;
  /** The whole record, from /auth/me or GET /users/{id}. @param how.fresh this page has just come from a sign-in */
  signIn(user: User, how?: { fresh?: boolean }): void;
  /** Whether this page has just come from a sign-in; each asker gets it once. */
  takeFreshSignIn(asker: string): boolean;
  signOut(): void;
  /** Merges `updatedUser` of any answer; an older balanceSeq is never shown (services/README.md#consistency). */
  merge(update: UpdatedUser): void;
  /**
   * Takes the mining session of an answer of mining; null, or an ended one, when the node stands still. What was so before
   * the latest that is known is not taken: a slow answer never brings a stopped node back.
   * @param how.asOfMs when a null was certainly so, ms by the server's clock: before the question was sent; now without it
   * @param how.pressed it answers a press on this page
   */
  observeNode(session: MiningSession | null, how?: { asOfMs?: number; pressed?: boolean }): void;
  /** Whether the last change of the node's state was made on this page, which then shows it itself. */
  pressedHere(): boolean;
}

/** So far a stamp may be ahead of this device's idea of the server's clock; further, that idea has changed since. */
const CLOCK_DOUBT_MS = 60_000;

/** @param broadcast informs the other tabs what this one has learnt, and receives theirs. */
export function createSession({ broadcast, clock }: { broadcast: Broadcast; clock: ServerClock }): Session {
  const state = createStore<SessionState>({ status: 'loading', user: null });
  const balance = createStore<KnownBalance | null>(null);
  const node = createStore<MiningSession | null | undefined>(undefined);

  /** Version of the ledger account that the balance shown is of. */
  let balanceSeq: string | null = null;
  /** When what is shown of the node was so, ms by the server's clock. */
  let nodeAsOfMs = Number.NEGATIVE_INFINITY;
  let pressedHere = false;
  /** Who has read the sign-in that this page came from; null when it came from none. */
  let signInTakenBy: Set<string> | null = null;

  function take(user: User | null, update: UpdatedUser, asOfMs: number): void {
    takeBalance(update.current_balance, update.balanceSeq, asOfMs);
    state.set({ status: 'signed-in', user: user === null ? (update as User) : mergeUser(user, update) });
  }

  function takeBalance(cord: number | null | undefined, seq: string | null | undefined, asOfMs: number): void {
    const known = balance.get();
    if (cord === null || cord === undefined || isOlderSeq(seq, balanceSeq)) return;
    if (known !== null && asOfMs < known.asOfMs && seq === balanceSeq) return;
    balanceSeq = seq ?? null;
    balance.set({ micro: numberToMicro(cord), asOfMs });
  }

  function takeNode(session: MiningSession | null, asOfMs: number, pressed: boolean): boolean {
    if (nodeAsOfMs <= clock.now() + CLOCK_DOUBT_MS && asOfMs < nodeAsOfMs) return false;
    nodeAsOfMs = asOfMs;
    // Both at once: what is credited in the session is in the balance, so that neither is shown without the other.
    if (session) takeBalance(session.newBalance, session.balanceSeq, Date.parse(session.creditedUntil));
    const next = session?.status === 'ended' ? null : session;
    if (next?.status !== node.get()?.status) pressedHere = pressed;
    node.set(next);
    const { user } = state.get();
    const runs = next?.status === 'active';
    if (user !== null && user.is_node_active !== runs)
      state.set({ status: 'signed-in', user: { ...user, is_node_active: runs } });
    return true;
  }

  function forgetNode(): void {
    node.set(undefined);
    nodeAsOfMs = Number.NEGATIVE_INFINITY;
  }

  function forgetBalance(): void {
    balance.set(null);
    balanceSeq = null;
  }

  function forget(): void {
    forgetNode();
    forgetBalance();
    signInTakenBy = null;
    state.set({ status: 'signed-out', user: null });
  }

  broadcast.listen((message) => {
    const { user } = state.get();
    if (user?.id !== message.userId) return;
    if (message.kind === 'user') take(user, message.update, message.asOfMs);
    if (message.kind === 'node') takeNode(message.session, message.asOfMs, false);
    if (message.kind === 'signed-out') forget();
  });

  return {
    state,
    balance,
    node,
    signIn(user, { fresh = false } = {}) {
      welcomePerson();
      if (fresh) signInTakenBy = new Set();
      const current = state.get().user;
      if (current?.id !== user.id) {
        forgetBalance();
        forgetNode();
      }
      take(current?.id === user.id ? current : null, user, Date.parse(user.balanceAt ?? user.serverTime));
    },
    takeFreshSignIn(asker) {
      if (signInTakenBy === null || signInTakenBy.has(asker)) return false;
      signInTakenBy.add(asker);
      return true;
    },
    signOut() {
      const { user } = state.get();
      forget();
      if (user !== null) broadcast.send({ kind: 'signed-out', userId: user.id });
    },
    merge(update) {
      const { user } = state.get();
      if (user === null || user.id !== update.id) return;
      const asOfMs = update.balanceAt ? Date.parse(update.balanceAt) : clock.now();
      take(user, update, asOfMs);
      broadcast.send({ kind: 'user', userId: user.id, update, asOfMs });
    },
    pressedHere: () => pressedHere,
    observeNode(session, { asOfMs: sentMs = clock.now(), pressed = false } = {}) {
      const { user } = state.get();
      const asOfMs = session === null ? sentMs : Date.parse(session.serverTime);
      if (user === null || !takeNode(session, asOfMs, pressed)) return;
      broadcast.send({ kind: 'node', userId: user.id, session, asOfMs });
    },
  };
}

/** Fields that come from the ledger account: true together, of one balanceSeq. */
const LEDGER_FIELDS: ReadonlySet<string> = new Set<keyof User>([
  'balanceSeq',
  'balanceAt',
  'current_balance',
  'lastsavedbalance',
  'total_earned',
  'daily_earnings',
  'weekly_earnings',
  'monthly_earnings',
  'is_node_active',
  'node_start_time',
  'currentEpochId',
  'epochJoinDate',
  'totalEpochEarnings',
  'rate',
]);

/** Fields that other services own; null in a whole record while their owner does not answer. */
const MAY_BE_UNKNOWN: ReadonlySet<string> = new Set<keyof User>([
  'rank',
  'tasks_completed',
  'daily_checkin_claimed',
  'comp_claim',
  'referred_by',
  'referralCode',
  'referralEarnings',
  'totalReferrals',
]);

/**
 * Whether auth has not received yet what the owner of a field has answered already: it repeats the events of others, and these fields only
 * ever go one way (that of the check-in within a UTC day of the server's clock).
 */
const LAGS: Partial<Record<string, (update: UpdatedUser, known: User) => unknown>> = {
  tasks_completed: (update, known) => Number(update.tasks_completed) < Number(known.tasks_completed),
  comp_claim: (_, known) => known.comp_claim,
  daily_checkin_claimed: (update, known) => known.daily_checkin_claimed && dayOf(update) <= dayOf(known),
  serverTime: (update, known) => String(update.serverTime) < known.serverTime,
};

/** The UTC day of a time of the server's clock; the first of all where none is shown. */
const dayOf = ({ serverTime = '' }: UpdatedUser) => serverTime.slice(0, 10);

/** The record after an update: never an older ledger state, unknown never replaces known, and what has been done stays done. */
function mergeUser(current: User, update: UpdatedUser): User {
  const older = isOlderState(update, current);
  const merged: Record<string, unknown> = { ...current };
  for (const [key, value] of Object.entries(update)) {
    if (value === undefined) continue;
    if (LEDGER_FIELDS.has(key) && older) continue;
    if (value === null && MAY_BE_UNKNOWN.has(key)) continue;
    if (LAGS[key]?.(update, current)) continue;
    merged[key] = value;
  }
  return merged as User;
}

/** Whether a ledger state is behind another: by seq, and of one seq by time, since a save that is not written has the seq of the last write. */
function isOlderState(update: UpdatedUser, { balanceSeq, balanceAt }: User): boolean {
  if (isOlderSeq(update.balanceSeq, balanceSeq)) return true;
  if (update.balanceSeq !== balanceSeq || !update.balanceAt || !balanceAt) return false;
  return Date.parse(update.balanceAt) < Date.parse(balanceAt);
}

/** Whether the ledger state of an update is behind what is known; without a seq there is none in it. */
function isOlderSeq(seq: string | null | undefined, known: string | null): boolean {
  if (known === null) return false;
  if (seq === null || seq === undefined) return true;
  return BigInt(seq) < BigInt(known);
}
