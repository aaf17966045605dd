import { isReferralCode, normaliseCode } from '@cord/contracts/rules/codes';

const KEY = 'cord.pending-referral';

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** A friend's code from `?ref=` that waits for the sign-in. */
export interface PendingReferral {
  get(): string | null;
  /** Stores a valid code and ignores others. */
  keep(text: string): void;
  forget(): void;
}

/** Stored in session and local storage, so that it survives the redirect to Discord and a new tab. */
export function createPendingReferral(session: Kept, local: Kept): PendingReferral {
  return {
    get() {
      const text = session.getItem(KEY) ?? local.getItem(KEY);
      return text !== null && isReferralCode(text) ? text : null;
    },
    keep(text) {
      const code = normaliseCode(text);
      if (!isReferralCode(code)) return;
      session.setItem(KEY, code);
      local.setItem(KEY, code);
    },
    forget() {
      session.removeItem(KEY);
      local.removeItem(KEY);
    },
  };
}
