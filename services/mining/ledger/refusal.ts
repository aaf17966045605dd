import type { ERASED_USER } from '@cord/contracts/rpc/ledger';

/** Why the ledger refuses, as stable words (money.md, Credit). */
export type RefusalType =
  | 'unknown-user'
  | typeof ERASED_USER
  | 'key-conflict'
  | 'source-not-allowed'
  | 'amount-not-allowed'
  | 'key-not-allowed'
  | 'outbox-full'
  | 'busy';

/**
 * A refusal by a rule of the ledger; nothing was written. `outbox-full`, `busy` and `unknown-user` may be tried again with the same key: services
 * act for users of whom auth has published, whose accounts may open a moment later. Who was erased is `erased-user`.
 */
export class LedgerRefusal extends Error {
  constructor(
    readonly type: RefusalType,
    message: string,
  ) {
    super(message);
    this.name = 'LedgerRefusal';
  }

  /** Whether the same request may succeed later. */
  get retryable(): boolean {
    return this.type === 'outbox-full' || this.type === 'busy' || this.type === 'unknown-user';
  }
}

/** What a newcomer reads in the moment before the account is open. */
export const ACCOUNT_NOT_OPEN_YET = 'Your account is being opened. Please try again in a moment.';

export function refuse(type: RefusalType, message: string): LedgerRefusal {
  return new LedgerRefusal(type, message);
}
