/** Length of the codes we issue; codes of 6 characters are accepted on entry too (services/contracts/rules/README.md#referral-codes). */
export const REFERRAL_CODE_LENGTH = 8;

/** Characters of the codes that are drawn: no I, O, 0 or 1, which are taken for one another. Codes that have them are taken on entry. */
export const REFERRAL_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A code as it was typed or linked, trimmed and upper-cased. */
export function normaliseCode(text: string): string {
  return text.trim().toUpperCase();
}

/** Whether a normalised text is a referral code: 6 or 8 of A-Z and 0-9. */
export function isReferralCode(text: string): boolean {
  return /^(?:[A-Z0-9]{6}|[A-Z0-9]{8})$/.test(text);
}
