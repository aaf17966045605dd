import type { MiningSession } from '@cord/contracts/http/mining';
import type { UpdatedUser, User } from '@cord/contracts/http/users';
import { numberToMicro } from '@cord/contracts/rules/money';
import type { Broadcast } from './broadcast';
import type { ServerClock } from './server-clock';
import { welcomePerson } from './storage';
import { createStore, type Store } from './store';

/** State of the sign-in. `loading` until the first response of /auth/me. */
export type SessionState =
  | { status: 'loading'; user: null }
  | { status: 'signed-out'; user: null }
  | { status: 'signed-in'; user: User };

/** The balance last sent by the server, with its time by the server's clock. */
export interface KnownBalance {
  micro: bigint;
  asOfMs: number;
}

export interface Session {
  state: Store<SessionState>;
  /** Null while unknown. */
  balance: Store<KnownBalance | null>;
  /** The running or paused mining session; null when the node is idle, undefined while unknown. */
  node: Store<MiningSession | null | undefined>;
  /** Sets the whole record, from /auth/me or GET /users/{id}. @param how.fresh this page has just come from a sign-in */
  signIn(user: User, how?: { fresh?: boolean }): void;
  /** Whether this page has just come from a sign-in; true once per caller. */
  takeFreshSignIn(asker: string): boolean;
  signOut(): void;
  /** Merges `updatedUser` of any response; an older balanceSeq is never shown (services/README.md#consistency). */
  merge(update: UpdatedUser): void;
  /**
   * Applies the mining session of a response; null or an ended one means an idle node. A state older than the latest
   * known one is ignored, so that a slow response never brings a stopped node back.
   * @param how.asOfMs time of a null, ms by the server's clock: before the request was sent; now by default
   * @param how.pressed the response follows a press on this page
   */
  observeNode(session: MiningSession | null, how?: { asOfMs?: number; pressed?: boolean }): void;
  /** Whether the last change of the node was made on this page, which then shows it itself. */
  pressedHere(): boolean;
}

/** Maximum lead of a stamp over this device's estimate of the server's clock, ms. Beyond it the estimate has changed. */
const CLOCK_DOUBT_MS = 60_000;

/** @param broadcast sends changes to the other tabs and receives theirs */
export function createSession({ broadcast, clock }: { broadcast: Broadcast; clock: ServerClock }): Session {
  const state = createStore<SessionState>({ status: 'loading', user: null });
  const balance = createStore<KnownBalance | null>(null);
  const node = createStore<MiningSession | null | undefined>(undefined);

  /** Ledger version of the shown balance. */
  let balanceSeq: string | null = null;
  /** Time of the shown node state, ms by the server's clock. */
  let nodeAsOfMs = Number.NEGATIVE_INFINITY;
  let pressedHere = false;
  /** Callers that have read the fresh sign-in; null when the page did not come from one. */
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
    // Session and balance change together, since the session's credits are in the balance.
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

/** Fields of the ledger account; they belong to one balanceSeq. */
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

/** Fields owned by other services; null in a whole record while their owner does not respond. */
const NULLABLE_FIELDS: ReadonlySet<string> = new Set<keyof User>([
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
 * Whether auth lags behind the owner of a field, whose events it receives later. These fields only change one way
 * (the check-in within a UTC day of the server's clock).
 */
const LAGS: Partial<Record<string, (update: UpdatedUser, known: User) => unknown>> = {
  tasks_completed: (update, known) => Number(update.tasks_completed) < Number(known.tasks_completed),
  comp_claim: (_, known) => known.comp_claim,
  hasbadgeofhonor: (_, known) => known.hasbadgeofhonor,
  daily_checkin_claimed: ({ serverTime }, known) => {
    const [day, knownDay] = [dayOf(serverTime ?? known.serverTime), dayOf(known.serverTime)];
    return known.daily_checkin_claimed ? day <= knownDay : day < knownDay;
  },
  serverTime: (update, known) => String(update.serverTime) < known.serverTime,
};

/** The UTC day of a server time. */
const dayOf = (serverTime: string) => serverTime.slice(0, 10);

/** Merges an update into the record. Older ledger state never wins, and unknown never replaces known. */
function mergeUser(current: User, update: UpdatedUser): User {
  const older = isOlderState(update, current);
  const merged: Record<string, unknown> = { ...current };
  for (const [key, value] of Object.entries(update)) {
    if (value === undefined) continue;
    if (LEDGER_FIELDS.has(key) && older) continue;
    if (value === null && NULLABLE_FIELDS.has(key)) continue;
    if (LAGS[key]?.(update, current)) continue;
    merged[key] = value;
  }
  return merged as User;
}

/** Whether a ledger state is older: by seq, and within one seq by time, since an unwritten save keeps the seq of the last write. */
function isOlderState(update: UpdatedUser, { balanceSeq, balanceAt }: User): boolean {
  if (isOlderSeq(update.balanceSeq, balanceSeq)) return true;
  if (update.balanceSeq !== balanceSeq || !update.balanceAt || !balanceAt) return false;
  return Date.parse(update.balanceAt) < Date.parse(balanceAt);
}

/** Whether the ledger state of an update is older than the known one; an update without seq has none. */
function isOlderSeq(seq: string | null | undefined, known: string | null): boolean {
  if (known === null) return false;
  if (seq === null || seq === undefined) return true;
  return BigInt(seq) < BigInt(known);
}
