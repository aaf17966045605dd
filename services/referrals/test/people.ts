import { type AccountState, balanceChanged } from '@cord/contracts/events/balance';
import { nodeStopped } from '@cord/contracts/events/node';
import { consumedBy } from '@cord/contracts/events/streams';
import { userRegistered } from '@cord/contracts/events/user';
import { referralEndpoints } from '@cord/contracts/http/referrals';
import { friendAccountRpc } from '@cord/contracts/rpc/ledger';
import { cord } from '@cord/contracts/rules/money';
import { SWEEP_OLDER_THAN_MS } from '@cord/kit/bounds';
import { restingAccount } from '@cord/kit/testing/account-state';
import { type Fixture, startFixture } from '@cord/kit/testing/fixture';
import { call, randomId } from '@cord/kit/testing/index';
import { nodeSession } from '@cord/kit/testing/node-state';
import { PATIENCE_MS } from '@cord/kit/testing/patience';
import { registered } from '@cord/kit/testing/registered';
import { expect, vi } from 'vitest';
import { referralsService } from '../service.js';

const NOON = Date.UTC(2026, 10, 18, 12);
export const TEN_MINUTES = 600_000;

/** Timeout for results on a busy machine. */
export const PATIENCE = { timeout: PATIENCE_MS, interval: 50 };

export interface Person {
  userId: string;
  token: string;
  code: string;
}

interface Newcomer {
  /** Own welcome credit, micro-CORD. */
  welcome?: bigint;
  returning?: boolean;
  /** A code carried through sign-in. */
  code?: string | null;
  /** Earned before, micro-CORD. */
  earned?: bigint;
  /** Whether the ledger has opened the account; otherwise `open` does. */
  isOpen?: boolean;
}

/** Starts referrals alone, with users and a ledger of their earnings. */
export type Referrals = Awaited<ReturnType<typeof startReferrals>>;

/** @param linesMax friends per bucket */
export async function startReferrals({ linesMax }: { linesMax?: number } = {}) {
  const accounts = new Map<string, { seq: number; micro: bigint; ranMs: number }>();
  /** Erased users whose accounts the ledger has not closed yet; all other accounts are closed. */
  const leftOpen = new Set<string>();
  const alone: Fixture = await startFixture(referralsService(linesMax), NOON, ({ nats }, clock) => {
    const factors = {
      discordCreatedAt: 0,
      tierHundredths: 100,
      antiCheatHundredths: 100,
      badge: false,
      epochHundredths: 100,
      rateNano: '0',
    };
    nats.serve(friendAccountRpc, async ({ userId }) => {
      const account = accounts.get(userId);
      if (!account) return null;
      const state = stateOf(account, clock.now());
      const bySource = { ...state.bySource, refwelcome: paidTo(userId, 'refwelcome').toString() };
      return {
        ...state,
        bySource,
        userId,
        seq: String(account.seq),
        factors,
        erased: !leftOpen.has(userId),
      };
    });
  });
  const { url, clock, ledger, publish } = alone;

  const stats = async ({ userId, token }: Pick<Person, 'userId' | 'token'>) =>
    (await call(url, referralEndpoints.stats, { params: { userId }, token })).body;
  const enter = ({ userId, token }: Pick<Person, 'userId' | 'token'>, referralCode: string | undefined) =>
    call(url, referralEndpoints.process, { body: { userId, referralCode }, token });
  const creditsOf = (userId: string, source: string) =>
    ledger.credits.filter((each) => each.userId === userId && each.source === source);

  const paidTo = (userId: string, source: string) =>
    creditsOf(userId, source).reduce((sum, each) => sum + BigInt(each.amountMicro), 0n);

  /** Creates a user who signed in but is not published yet. @returns the user, and a function that publishes it */
  const stranger = async ({
    welcome = cord(870),
    returning = false,
    code = null,
    earned = 0n,
    isOpen = true,
  }: Newcomer = {}) => {
    const userId = randomId();
    const token = await alone.tokenOf(userId);
    const open = () => void accounts.set(userId, { seq: 1, micro: earned, ranMs: 0 });
    if (isOpen) open();
    const username = `user-${userId.slice(0, 6)}`;
    const known = { username, returning, referralCode: code, welcomeMicro: welcome.toString() };
    const state = () => registered(clock.now(), known);
    return { userId, token, open, state, register: () => publish(userRegistered, userId, state()) };
  };
  /** Creates a registered user with a referral code. */
  const person = async (newcomer: Newcomer = {}): Promise<Person> => {
    const { userId, token, register } = await stranger(newcomer);
    await register();
    const hasCode = async () => expect((await stats({ userId, token })).referralCode).toMatch(/^[A-Z0-9]{8}$/);
    await vi.waitFor(hasCode, PATIENCE);
    return { userId, token, code: (await stats({ userId, token })).referralCode };
  };

  return {
    ...alone,
    stats,
    person,
    stranger,
    /** Creates many users, a few in parallel. */
    async people(count: number): Promise<Person[]> {
      const found: Person[] = [];
      while (found.length < count) {
        const few = Math.min(8, count - found.length);
        found.push(...(await Promise.all(Array.from({ length: few }, () => person()))));
      }
      return found;
    },
    /** Waits until all published events are handled. */
    async handled(): Promise<void> {
      const { jsm } = alone.backend.nats;
      for (const stream of consumedBy('referrals')) {
        await vi.waitFor(async () => {
          // The stream first: a consumer gets a message a moment after its publisher has the acknowledgement.
          const { last_seq } = (await jsm.streams.info(stream)).state;
          const { delivered, num_pending, num_ack_pending } = await jsm.consumers.info(stream, 'referrals');
          expect([stream, num_pending, num_ack_pending]).toEqual([stream, 0, 0]);
          expect([stream, delivered.stream_seq]).toEqual([stream, last_seq]);
        }, PATIENCE);
      }
    },
    creditsOf,
    paidTo,
    enter,
    /** Enters a code until the link exists: on a busy machine an attempt may return 503, with the link made or not. */
    async joins(friend: Pick<Person, 'userId' | 'token'>, referralCode: string): Promise<void> {
      await vi.waitFor(async () => expect([200, 409]).toContain((await enter(friend, referralCode)).status), PATIENCE);
    },
    /** Waits for events of an outbox: those that fail at first wait for a sweep, and the clock does not advance by itself. */
    async published(check: () => Promise<void>): Promise<void> {
      await vi.waitFor(async () => {
        await clock.advance(SWEEP_OLDER_THAN_MS);
        await check();
      }, PATIENCE);
    },
    /** Simulates earnings by a completed mining session, optionally at a relevant address. */
    async earns(person: Pick<Person, 'userId'>, micro: bigint, ranMs = 0, addressHash?: string): Promise<void> {
      const { before, after } = earned(person, micro, ranMs);
      if (ranMs > 0) await publishNode(person, before.ranMs + ranMs, ranMs, addressHash);
      await publish(balanceChanged, person.userId, stateOf(after, clock.now()), after.seq);
    },
    /** Simulates earnings without an event; the ledger has not closed the account of an erased user yet. */
    earnsUnseen(person: Pick<Person, 'userId'>, micro: bigint): void {
      earned(person, micro, 0);
      leftOpen.add(person.userId);
    },
    /** Simulates that the ledger handles the user's erasure. */
    closes({ userId }: Pick<Person, 'userId'>): void {
      earned({ userId }, 0n, 0);
      leftOpen.delete(userId);
    },
    /** Simulates earnings of a node that keeps running. */
    async runs(person: Pick<Person, 'userId'>, micro: bigint): Promise<void> {
      const { after } = earned(person, micro, 0);
      await publish(balanceChanged, person.userId, stateOf(after, clock.now(), 'active'), after.seq);
    },
    /** Like `earns`, but the node event is published only by the returned function. */
    async earnsAhead(person: Pick<Person, 'userId'>, ranMs: number, addressHash?: string) {
      const { before, after } = earned(person, 1n, ranMs);
      await publish(balanceChanged, person.userId, stateOf(after, clock.now()), after.seq);
      return () => publishNode(person, before.ranMs + ranMs, ranMs, addressHash);
    },
  };

  function earned({ userId }: Pick<Person, 'userId'>, micro: bigint, ranMs: number) {
    const before = accounts.get(userId) ?? { seq: 0, micro: 0n, ranMs: 0 };
    const after = { seq: before.seq + 1, micro: before.micro + micro, ranMs: before.ranMs + ranMs };
    accounts.set(userId, after);
    return { before, after };
  }

  async function publishNode(
    { userId }: Pick<Person, 'userId'>,
    ranMs: number,
    sessionMs: number,
    addressHash?: string,
  ) {
    const nowMs = clock.now();
    const at = addressHash ? { addressHash, addresses: [{ hash: addressHash, ms: ranMs, fromRanMs: 0 }] } : {};
    const state = nodeSession(nowMs - sessionMs, nowMs, { ranMs, ...at });
    await publish(nodeStopped, userId, state, accounts.get(userId)?.seq);
  }
}

function stateOf(
  { micro, ranMs }: { micro: bigint; ranMs: number },
  nowMs: number,
  status: AccountState['node']['status'] = 'idle',
): AccountState {
  const balance = micro.toString();
  return restingAccount({
    balance,
    totalReachedAt: nowMs,
    // Welcome money is in the total and never counts for commission.
    bySource: { mining: balance, welcome: '999000000' },
    node: { ranMs, status },
  });
}
