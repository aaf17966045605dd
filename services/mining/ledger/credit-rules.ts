import type { ServiceName } from '@cord/contracts/endpoint';
import type { Credit } from './credit.js';
import { CREDIT_TABLE } from './credit-table.js';
import { refuse } from './refusal.js';

/**
 * Whether this caller may make this credit: caller -> sources -> largest amount (money.md, Credit), and a key that
 * names its source and the user, so that no two callers can ever meet under one key.
 * @throws LedgerRefusal `source-not-allowed`, `amount-not-allowed`, `key-not-allowed`
 */
export function assertAllowed(caller: string, credit: Credit): void {
  const sources = CREDIT_TABLE[caller as ServiceName];
  const mostMicro = sources?.[credit.source];
  if (mostMicro === undefined) throw refuse('source-not-allowed', `${caller} may not credit ${credit.source}.`);
  if (credit.amountMicro <= 0n || credit.amountMicro > mostMicro) {
    throw refuse('amount-not-allowed', `${caller} may credit ${credit.source} above 0 and up to ${mostMicro}.`);
  }
  const [source, ...names] = credit.key.split(':');
  if (source !== credit.source || !names.includes(credit.userId)) {
    throw refuse('key-not-allowed', `A key of ${credit.source} must begin with it and name the user.`);
  }
}
