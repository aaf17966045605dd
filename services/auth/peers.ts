import { excusedRpc } from '@cord/contracts/rpc/checkin';
import { accountRpc, openAccount } from '@cord/contracts/rpc/ledger';
import { rankRpc } from '@cord/contracts/rpc/rank';
import { processReferralRpc } from '@cord/contracts/rpc/referral';
import type { ExcusedDays } from '@cord/contracts/rules/streak';
import type { LedgerClient } from '@cord/kit/ledger-client';
import type { Nats } from '@cord/kit/nats';
import type { LedgerPort, ReferralPort } from './signin/onboarding.js';
import type { FactStore } from './store/facts.js';
import type { RecordPeers } from './user-records.js';

/** Timeout of a peer, ms. A part of the user record whose owner does not respond is null (services/README.md#who-owns-what). */
const RECORD_TIMEOUT_MS = 200;

/** Requests the parts of the user record from the ledger, the leaderboard and tasks. */
export function createRecordPeers(nats: Nats): RecordPeers {
  return {
    async account(userId) {
      const within = { timeoutMs: RECORD_TIMEOUT_MS };
      const account = await orFallback(null, nats.request(accountRpc, { userId }, within));
      if (account === null) return null;
      const { factors, ...state } = account;
      return { ...state, rateNano: factors.rateNano, ownsBadge: factors.badge };
    },
    async rank(userId) {
      const within = { timeoutMs: RECORD_TIMEOUT_MS };
      const reply = await orFallback(undefined, nats.request(rankRpc, { userId }, within));
      return reply?.rank;
    },
    async excused() {
      const reply = await orFallback(null, nats.request(excusedRpc, {}, { timeoutMs: RECORD_TIMEOUT_MS }));
      return reply && (new Map(reply.days.map(({ dayKey, reason }) => [dayKey, reason])) as ExcusedDays);
    },
  };
}

/** The ledger's part of a first sign-in. */
export function createLedgerPort(nats: Nats, ledger: LedgerClient): LedgerPort {
  return {
    async open({ userId, discordCreatedAtMs, joinedAtMs }) {
      await nats.request(openAccount, { userId, discordCreatedAt: discordCreatedAtMs, at: joinedAtMs });
    },
    async creditWelcome({ userId, key, amountMicro }) {
      await ledger.credit({ userId, key, amountMicro, source: 'welcome', reason: 'Welcome bonus' });
    },
  };
}

/** The seq of a reply, below every event: a foreign version would block all later events of referrals. */
const BELOW_EVENTS = 0n;

/**
 * The referral part of a first sign-in. A refusal is a response; a missing response throws. The reply's place among
 * referrals is stored as the later event would store it, so that the first record is complete.
 */
export function createReferralPort(nats: Pick<Nats, 'request'>, facts: Pick<FactStore, 'keep'>): ReferralPort {
  return {
    async takeIn({ userId, referralCode, newcomer }) {
      const request = { userId, referralCode, newcomer };
      const { referredBonusMicro, pending, refused, place } = await nats.request(processReferralRpc, request);
      await facts.keep(userId, 'referral', BELOW_EVENTS, place);
      return refused ? { linked: false } : { linked: true, bonusMicro: BigInt(referredBonusMicro), credited: !pending };
    },
  };
}

async function orFallback<T, N>(fallback: N, answer: Promise<T>): Promise<T | N> {
  try {
    return await answer;
  } catch {
    return fallback;
  }
}
