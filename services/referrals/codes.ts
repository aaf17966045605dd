import { randomInt } from 'node:crypto';
import { REFERRAL_ALPHABET, REFERRAL_CODE_LENGTH } from '@cord/contracts/rules/codes';
import { unavailable } from '@cord/kit/problem';
import { isDuplicateKey } from '@cord/kit/store-errors';
import type { Step } from '@cord/kit/versioned';
import { announced, type Member } from './member.js';
import type { ReferralStore } from './store.js';

/** Maximum number of draws when codes are taken; with 32^8 codes, more than a few indicate a fault. */
const DRAWS_MAX = 8;

/** Returns a random code of 8 characters, without I, O, 0 and 1, which are confused when read out. */
export function drawCode(): string {
  return Array.from(
    { length: REFERRAL_CODE_LENGTH },
    () => REFERRAL_ALPHABET[randomInt(REFERRAL_ALPHABET.length)],
  ).join('');
}

/** Returns the member with a referral code; creates the code if missing. */
export async function withOwnCode(store: ReferralStore, userId: string, nowMs: number): Promise<Member> {
  for (let draws = 0; draws < DRAWS_MAX; draws += 1) {
    try {
      const give = (member: Member): Step<Member, Member> => {
        if (member.code || member.erased) return { doc: null, result: member };
        const doc = { ...member, code: drawCode() };
        // Users without a code have no friends.
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
