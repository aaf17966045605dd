import { randomInt } from 'node:crypto';
import { REFERRAL_ALPHABET, REFERRAL_CODE_LENGTH } from '@cord/contracts/rules/codes';
import { unavailable } from '@cord/kit/problem';
import { isDuplicateKey } from '@cord/kit/store-errors';
import type { Step } from '@cord/kit/versioned';
import { announced, type Member } from './member.js';
import type { ReferralStore } from './store.js';

/** A code that is taken is drawn again; 32^8 codes make more than a few draws a fault. */
const DRAWS_MAX = 8;

/** A random code of 8 characters, none of which is taken for another when it is read out: no I, O, 0 or 1. */
export function drawCode(): string {
  return Array.from(
    { length: REFERRAL_CODE_LENGTH },
    () => REFERRAL_ALPHABET[randomInt(REFERRAL_ALPHABET.length)],
  ).join('');
}

/** The member with a code of their own, given now if there was none. */
export async function withOwnCode(store: ReferralStore, userId: string, nowMs: number): Promise<Member> {
  for (let draws = 0; draws < DRAWS_MAX; draws += 1) {
    try {
      const give = (member: Member): Step<Member, Member> => {
        if (member.code || member.erased) return { doc: null, result: member };
        const doc = { ...member, code: drawCode() };
        // No user without a code has friends.
        const changed = announced(doc, { friends: 0 }, nowMs);
        return { doc: changed, result: changed };
      };
      return await store.members.change(userId, give);
    } catch (err) {
      if (!isDuplicateKey(err)) throw err;
    }
  }
  throw unavailable('no-free-code', 'Please try again in a moment.', 1);
}
