import { referralEndpoints } from '@cord/contracts/http/referrals';
import { dayStartMs, monthStartMs, weekStartMs } from '@cord/contracts/rules/days';
import { microToNumber } from '@cord/contracts/rules/money';
import type { Http } from '@cord/kit/http';
import type { Nats } from '@cord/kit/nats';
import { earningsOf } from '../ledger.js';
import type { Links } from '../links.js';
import type { ReferralStore } from '../store.js';
import { presentEarnings, presentStats } from './present.js';

const SINCE = { all: () => 0, monthly: monthStartMs, weekly: weekStartMs, daily: dayStartMs } as const;

interface Parts {
  store: ReferralStore;
  nats: Pick<Nats, 'request'>;
  links: Links;
}

/** Registers the routes to enter a code and to read one's statistics, for both clients. */
export function referralRoutes(http: Http, { store, nats, links }: Parts): void {
  // Fixed paths come before `:userId`, which would match them.
  http.route(referralEndpoints.statsB, async ({ user, now }) => presentStats(store, user.id, now));

  http.route(
    referralEndpoints.historyB,
    async ({ user, now }) => (await presentStats(store, user.id, now)).referralHistory,
  );

  http.route(referralEndpoints.earningsB, async ({ user, query, now }) =>
    presentEarnings(await earningsOf(nats, user.id, SINCE[query.period](now))),
  );

  http.route(referralEndpoints.process, async ({ user, body }) => {
    const made = await links.process(user.id, body.referralCode);
    const { credit, pending } = made;
    return {
      success: true as const,
      referredBonus: microToNumber(made.bonusMicro),
      referrerBonus: microToNumber(made.referrerBonusMicro),
      // Nothing is left to pay without a bonus.
      referrerStatus: made.referrerBonusMicro > 0n ? ('pending' as const) : ('credited' as const),
      pending,
      updatedUser: {
        id: user.id,
        referred_by: made.referrerName,
        ...(credit ? { current_balance: microToNumber(credit.balanceMicro), balanceSeq: credit.seq.toString() } : {}),
      },
    };
  });

  http.route(referralEndpoints.stats, async ({ params, now }) => presentStats(store, params.userId, now));

  http.route(referralEndpoints.earnings, async ({ params, query, now }) =>
    presentEarnings(await earningsOf(nats, params.userId, SINCE[query.period](now))),
  );
}
