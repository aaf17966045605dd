import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@cord/kit/clock';
import type { Log } from '@cord/kit/log';
import type { Relay } from '@cord/kit/outbox';
import { Problem } from '@cord/kit/problem';
import { withOwnCode } from './codes.js';
import { bonusFor, type Links } from './links.js';
import type { Member, Profile, ReferralStore } from './store.js';

/** How long a sign-in waits for the newcomer's own registration to arrive here, ms. */
const REGISTRATION_WAIT_MS = 1_000;
const REGISTRATION_POLL_MS = 50;
const WAITING_BATCH = 256;

/** What the newcomer gets for a code; pending until the ledger has it. */
export interface NewcomersBonus {
  bonusMicro: bigint;
  pending: boolean;
}

/** Newcomers: their own code, and the code that came with them through sign-in. */
export interface Arrivals {
  /** Auth has told of a user; `code` is the one that was carried through sign-in. */
  take(userId: string, profile: Profile, code: string | null): Promise<void>;
  /**
   * Processes a code right after sign-in, or says what came of it when the registration was quicker.
   * @returns null while it waits for the registration
   * @throws Problem of the refusal
   */
  processNow(userId: string, code: string): Promise<NewcomersBonus | null>;
  /** Processes the codes that wait. */
  sweepOnce(): Promise<void>;
}

export function createArrivals(parts: {
  store: ReferralStore;
  links: Links;
  clock: Clock;
  log: Log;
  relay: Relay;
}): Arrivals {
  const { store, links, clock, log, relay } = parts;
  const settle = (userId: string, status: 'credited' | 'refused', reason: string | null): Promise<void> =>
    store.members.change(userId, (member) => ({
      doc: member.pendingCode ? { ...member, pendingCode: { ...member.pendingCode, status, reason } } : null,
      result: undefined,
    }));
  /**
   * Registration and sign-in process the same code side by side: who comes second finds the link made.
   * @throws Problem: a refusal that stands (below 500), or "try again"
   */
  const process = async (userId: string, code: string): Promise<NewcomersBonus> => {
    try {
      const { bonusMicro, credit } = await links.process(userId, code);
      await settle(userId, 'credited', null);
      return { bonusMicro, pending: credit === null && bonusMicro > 0n };
    } catch (err) {
      const member = await store.members.get(userId);
      if (member?.referredBy && member.referredBy.userId === (await store.memberByCode(code))?._id) {
        await settle(userId, 'credited', null);
        return standing(member);
      }
      if (err instanceof Problem && err.status < 500) await settle(userId, 'refused', err.message);
      throw err;
    }
  };
  const processWaiting = async (userId: string): Promise<void> => {
    const member = await store.members.get(userId);
    if (member?.pendingCode?.status !== 'pending' || !member.profile) return;
    await process(userId, member.pendingCode.code).catch((err: unknown) =>
      log.info({ userId, type: err instanceof Problem ? err.type : 'fault' }, 'a code from sign-in was not processed'),
    );
  };
  const remember = (userId: string, code: string): Promise<void> =>
    store.members.change(userId, (member) => ({
      doc:
        member.pendingCode || member.referredBy
          ? null
          : { ...member, pendingCode: { code, status: 'pending', reason: null } },
      result: undefined,
    }));

  return {
    async take(userId, profile, code) {
      await store.members.change(userId, (member) => ({
        doc: member.erased ? null : { ...member, profile },
        result: undefined,
      }));
      await withOwnCode(store, userId, clock.now());
      void relay.relayNow(userId);
      if (code) await remember(userId, code);
      await processWaiting(userId);
    },
    async processNow(userId, code) {
      await remember(userId, code);
      const triesMax = REGISTRATION_WAIT_MS / REGISTRATION_POLL_MS;
      for (let tries = 0; tries < triesMax; tries += 1) {
        const member = await store.members.get(userId);
        if (member?.pendingCode?.status === 'refused') throw refusedBefore(member.pendingCode.reason);
        if (member?.referredBy) return standing(member);
        if (member?.profile) return process(userId, code);
        await sleep(REGISTRATION_POLL_MS);
      }
      return null;
    },
    async sweepOnce() {
      for (const userId of await store.waitingCodes(WAITING_BATCH)) await processWaiting(userId);
    },
  };
}

/** What a link that stands has brought: promised while the ledger has yet to answer, then credited. */
function standing(member: Member): NewcomersBonus {
  const due = bonusFor(member);
  return {
    bonusMicro: due?.amountMicro ?? 0n,
    pending: due !== null && (member.promised ?? []).some(({ key }) => key === due.key),
  };
}

function refusedBefore(reason: string | null): Problem {
  return new Problem(422, 'referral-refused', reason ?? 'This referral code was refused');
}
