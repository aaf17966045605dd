import type { ServiceName } from '@cord/contracts/endpoint';
import type { Source } from '@cord/contracts/events/balance';
import { creditRequest, creditRpc } from '@cord/contracts/rpc/ledger';
import { ZodError } from 'zod';
import type { Nats } from './nats.js';
import { badFields, Problem } from './problem.js';
import { fieldErrors } from './schema-errors.js';

/** A credit as the caller has stored it before the request (services/mining/ledger/README.md#credit). */
export interface Credit {
  userId: string;
  /** Idempotency key. */
  key: string;
  source: Source;
  amountMicro: bigint;
  reason: string;
}

export interface CreditResult {
  amountMicro: bigint;
  /** Balance after the entry. */
  balanceMicro: bigint;
  /** Version of the account: `balanceSeq`. */
  seq: bigint;
}

/** The ledger did not respond in time: it is unknown whether the credit was written. The caller responds pending and retries. */
export class LedgerUnavailable extends Error {
  constructor(cause: unknown) {
    super('the ledger did not respond in time', { cause });
    this.name = 'LedgerUnavailable';
  }
}

export type LedgerClient = ReturnType<typeof createLedgerClient>;

/** @param caller the service; NATS lets it publish only to its own subject */
export function createLedgerClient(nats: Nats, caller: ServiceName) {
  const rpc = creditRpc(caller);
  return {
    /**
     * Credits under a key; the same key again returns the same entry.
     * @throws LedgerUnavailable: retry unchanged; Problem for a refusal (another amount under the same key,
     * unknown or erased user, source or amount not allowed)
     */
    async credit({ userId, key, source, amountMicro, reason }: Credit): Promise<CreditResult> {
      const payload = { userId, key, source, amountMicro: amountMicro.toString(), reason };
      const fits = creditRequest.safeParse(payload);
      if (!fits.success) throw badFields(fieldErrors(fits.error));
      try {
        const reply = await nats.request(rpc, payload, { userId });
        return {
          amountMicro: BigInt(reply.amountMicro),
          balanceMicro: BigInt(reply.balanceMicro),
          seq: BigInt(reply.seq),
        };
      } catch (err) {
        // 5xx, or an unreadable response: the credit may exist or not; only a retry with the same key decides.
        const unknown = err instanceof Problem ? err.status >= 500 || err.status === 429 : err instanceof ZodError;
        throw unknown ? new LedgerUnavailable(err) : err;
      }
    },
  };
}
