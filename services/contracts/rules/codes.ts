/** Length of the codes we issue; codes of 6 characters are accepted too (services/contracts/rules/README.md#referral-codes). */
export const REFERRAL_CODE_LENGTH = 8;

/** Characters of the codes we issue: without I, O, 0 and 1, which are easily confused. Entered codes may contain them. */
export const REFERRAL_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Trims and upper-cases a typed or linked code. */
export function normaliseCode(text: string): string {
  return text.trim().toUpperCase();
}

/** Whether a normalised text is a referral code: 6 or 8 of A-Z and 0-9. */
export function isReferralCode(text: string): boolean {
  return /^(?:[A-Z0-9]{6}|[A-Z0-9]{8})$/.test(text);
}
