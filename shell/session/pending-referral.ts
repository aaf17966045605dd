import { isReferralCode, normaliseCode } from '@cord/contracts/rules/codes';

const KEY = 'cord.pending-referral';

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** A friend's code that came by `?ref=` and waits for the sign-in. */
export interface PendingReferral {
  get(): string | null;
  /** Keeps a code of the right form; another is not stored. */
  keep(text: string): void;
  forget(): void;
}

/** Kept in session and local storage, so that it outlives the way through Discord and a new tab. */
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
