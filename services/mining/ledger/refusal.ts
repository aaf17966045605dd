import type { ERASED_USER } from '@cord/contracts/rpc/ledger';

/** Reasons for a refusal of the ledger, as stable codes (services/mining/ledger/README.md#credit). */
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
 * Refusals that may succeed later with the same key. They include `unknown-user`: services act for users from auth's
 * events, whose accounts may open a moment later. An erased user gets `erased-user`.
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

/** A refusal by a rule of the ledger. Nothing was written. */
export class LedgerRefusal extends Error {
  constructor(
    readonly type: RefusalType,
    message: string,
  ) {
    super(message);
    this.name = 'LedgerRefusal';
  }

  /** Whether a retry of the same request may succeed. */
  get retryable(): boolean {
    return FOR_NOW.has(this.type);
  }
}

/** Message to a new user before the account is open. */
export const ACCOUNT_NOT_OPEN_YET = 'Your account is being opened. Please try again in a moment.';

export function refuse(type: RefusalType, message: string): LedgerRefusal {
  return new LedgerRefusal(type, message);
}

/** Every try lost to a concurrent write, or too many calls wait: retry the call. */
export const busy = () => refuse('busy', 'The account is busy. Try again.');

/** Returns the step's result; null when it refuses on a cached account, so that it is retried on a fresh read. */
export function tryStep<R>(step: () => R, fresh: boolean): R | null {
  try {
    return step();
  } catch (error) {
    if (!fresh && error instanceof LedgerRefusal) return null;
    throw error;
  }
}
