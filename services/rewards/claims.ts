import type { ClaimRefusal } from '@cord/contracts/http/admin';
import { TEXTS } from '@cord/contracts/texts';
import type { Clock } from '@cord/kit/clock';
import type { Outbox } from '@cord/kit/outbox';
import type { OutboxCredit } from '@cord/kit/outbox/items';
import { conflict, type Problem, refused, unavailable } from '@cord/kit/problem';
import type { RequestRegistration } from '@cord/kit/registration';
import { CLAIMS, type ClaimKind, type CompensationTerms, claimRefusal } from './domain/claims.js';
import { afterClaim, type HolderDocument, type RewardsStore } from './store.js';

export type OneTimeClaims = ReturnType<typeof createOneTimeClaims>;

const REFUSALS: Readonly<Record<ClaimRefusal, (kind: ClaimKind) => Problem>> = {
  'already-claimed': (kind) => conflict('already-claimed', failed(kind, 'It has already been claimed')),
  closed: () => refused('compensation-closed', `${TEXTS.compensationFailed}. It is closed.`),
  'joined-too-late': () =>
    refused('compensation-joined-too-late', `${TEXTS.compensationFailed}. Your account was created too late for it.`),
  'no-badge': () => refused('badge-needed', TEXTS.claimFailed),
  returning: (kind) =>
    refused('claim-once', failed(kind, 'One-time rewards cannot be claimed again after an account was deleted')),
  'account-erased': (kind) => refused('account-erased', failed(kind, 'This account was deleted')),
  'not-known-yet': (kind) => unavailable('user-not-known-yet', failed(kind, 'Please try again in a moment'), 2),
};

export function createOneTimeClaims(parts: {
  store: RewardsStore;
  clock: Clock;
  terms: CompensationTerms;
  outbox: Outbox;
  /** Requests the registration from auth when `user.registered` has not arrived yet. */
  requestRegistration: RequestRegistration;
}) {
  const { store, clock, terms, outbox, requestRegistration } = parts;
  return {
    /**
     * Makes a one-time claim. `credit` is null while the ledger has not responded; it is then credited without another call.
     * @throws Problem 409 already claimed, 422 refused by a rule, 503 the user is not known here and auth does not respond
     */
    async claim(userId: string, kind: ClaimKind) {
      const before = await store.holders.get(userId);
      if (!before || claimRefusal(kind, before, terms) === 'not-known-yet') await requestRegistration(userId);
      const claim = (holder: HolderDocument) => {
        const refusal = claimRefusal(kind, holder, terms);
        if (refusal) throw REFUSALS[refusal](kind);
        const earned = creditOf(userId, kind);
        return { doc: afterClaim(holder, kind, earned, clock.now()), result: earned };
      };
      const credit = await store.holders.change(userId, claim);
      const result = await outbox.settle(userId, credit);
      void outbox.relayNow(userId);
      return { amountMicro: credit.amountMicro, credit: result };
    },
  };
}

/** The credit of a claim. */
export function creditOf(userId: string, kind: ClaimKind): OutboxCredit {
  const { source, amountMicro, reason } = CLAIMS[kind];
  return { kind: 'credit', key: `${source}:${userId}`, userId, source, amountMicro, reason };
}

function failed(kind: ClaimKind, why: string): string {
  return `${kind === 'cordClaim' ? TEXTS.claimFailed : TEXTS.compensationFailed}. ${why}.`;
}
