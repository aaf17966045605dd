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

/** A refusal by a rule of the ledger; nothing was written. `outbox-full` and `busy` may be tried again with the same key. */
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
    return this.type === 'outbox-full' || this.type === 'busy';
  }
}

export function refuse(type: RefusalType, message: string): LedgerRefusal {
  return new LedgerRefusal(type, message);
}
