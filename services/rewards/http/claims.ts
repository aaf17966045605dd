import { rewardEndpoints } from '@cord/contracts/http/rewards';
import { COMPENSATION_MICRO } from '@cord/contracts/rules/bonuses';
import { microToNumber } from '@cord/contracts/rules/money';
import type { Http } from '@cord/kit/http';
import type { CreditResult } from '@cord/kit/ledger-client';
import type { Switches } from '@cord/kit/switches';
import type { OneTimeClaims } from '../claims.js';
import { type CompensationTerms, claimRefusal } from '../domain/claims.js';
import type { SolPrice } from '../sol-price.js';
import type { RewardsStore } from '../store.js';

/** Registers the routes of compensation, cord claim and SOL price. */
export function claimRoutes(
  http: Http,
  {
    store,
    claims,
    terms,
    price,
    switches,
  }: {
    store: RewardsStore;
    claims: OneTimeClaims;
    terms: CompensationTerms;
    price: SolPrice;
    switches: Pick<Switches, 'requireOn'>;
  },
): void {
  const holderOf = async (userId: string) =>
    (await store.holders.get(userId)) ?? {
      joinedAtMs: 0,
      returning: false,
      badge: null,
      compensation: null,
      cordClaim: null,
    };

  http.route(rewardEndpoints.compensation, async ({ user }) => {
    await switches.requireOn('claims');
    const { amountMicro, credit } = await claims.claim(user.id, 'compensation');
    return { ...result(user.id, credit, { comp_claim: true }), rewardAmount: microToNumber(amountMicro) };
  });

  http.route(rewardEndpoints.compensationStatus, async ({ user }) => {
    const holder = await holderOf(user.id);
    return {
      available: claimRefusal('compensation', holder, terms) === null,
      claimed: holder.compensation !== null,
      amount: microToNumber(COMPENSATION_MICRO),
      claimedAt: holder.compensation ? new Date(holder.compensation.atMs).toISOString() : null,
    };
  });

  http.route(rewardEndpoints.cordClaim, async ({ user }) => {
    await switches.requireOn('claims');
    const { amountMicro, credit } = await claims.claim(user.id, 'cordClaim');
    return { ...result(user.id, credit, {}), amountClaimed: microToNumber(amountMicro) };
  });

  http.route(rewardEndpoints.cordClaimHistory, async ({ params }) => {
    const { cordClaim } = await holderOf(params.userId);
    if (!cordClaim) return { claims: [] };
    return { claims: [{ amount: microToNumber(cordClaim.amountMicro), at: new Date(cordClaim.atMs).toISOString() }] };
  });

  http.route(rewardEndpoints.solPrice, async () => {
    const { usd, atMs, estimate } = await price.quote();
    return { usd, at: new Date(atMs).toISOString(), estimate };
  });
}

function result<Fields extends object>(userId: string, credit: CreditResult | null, fields: Fields) {
  const balance = credit ? microToNumber(credit.balanceMicro) : null;
  return {
    success: true as const,
    newBalance: balance,
    pending: credit === null,
    updatedUser: {
      id: userId,
      ...fields,
      ...(credit ? { current_balance: balance, balanceSeq: credit.seq.toString() } : {}),
    },
  };
}
