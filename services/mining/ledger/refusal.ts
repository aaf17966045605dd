import type { ERASED_USER } from '@cord/contracts/rpc/ledger';

/** Why the ledger refuses, as stable codes (services/mining/ledger/README.md#credit). */
export type RefusalType =
  | 'unknown-user'
  | typeof ERASED_USER
  | 'key-conflict'
  | 'source-not-allowed'
  | 'amount-not-allowed'
  | 'key-not-allowed'
  | 'key-early'
  | 'day-limit'
  | 'below-zero'
  | 'clock-unsure'
  | 'epochs-old'
  | 'outbox-full'
  | 'busy';

/**
 * What may succeed later with the same key. Also `unknown-user`: services act for users of whom auth has published, whose accounts may
 * open a moment later. Who was erased is `erased-user`.
 */
const FOR_NOW: ReadonlySet<RefusalType> = new Set<RefusalType>([
  'outbox-full',
  'busy',
  'unknown-user',
  'key-early',
  'day-limit',
  'below-zero',
  'clock-unsure',
  'epochs-old',
]);

/** A refusal by a rule of the ledger; nothing was written. */
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
    return FOR_NOW.has(this.type);
  }
}

/** What a newcomer reads in the moment before the account is open. */
export const ACCOUNT_NOT_OPEN_YET = 'Your account is being opened. Please try again in a moment.';

export function refuse(type: RefusalType, message: string): LedgerRefusal {
  return new LedgerRefusal(type, message);
}

/** Others wrote at each try, or too many wait: the same call again. */
export const busy = () => refuse('busy', 'The account is busy. Try again.');

/** The step's account; null when it refuses on an account from memory, so that it is tried again on a fresh one. */
export function tryStep<R>(step: () => R, fresh: boolean): R | null {
  try {
    return step();
  } catch (error) {
    if (!fresh && error instanceof LedgerRefusal) return null;
    throw error;
  }
}
