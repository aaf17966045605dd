import { describe, expect, test } from 'vitest';
import { type ClaimKind, claimRefusal, type Holder } from './claims.js';

const TERMS = { on: true, untilMs: null };
const KINDS: readonly ClaimKind[] = ['compensation', 'cordClaim'];
const holder = (changes: Partial<Holder> = {}): Holder => ({
  joinedAtMs: 1,
  returning: false,
  badge: { orderId: 'o', purchasedAtMs: 1, transaction: 't' },
  compensation: null,
  cordClaim: null,
  ...changes,
});

describe('one-time claims', () => {
  test.each(KINDS)('%s may be made once by a user who was never gone', (kind) => {
    expect(claimRefusal(kind, holder(), TERMS)).toBeNull();
    const made = holder({ [kind]: { amountMicro: 1n, atMs: 1 } });
    expect(claimRefusal(kind, made, TERMS)).toBe('already-claimed');
  });

  test.each(KINDS)('%s does not come again after an erasure, also not to who buys another badge', (kind) => {
    expect(claimRefusal(kind, holder({ returning: true }), TERMS)).toBe('returning');
  });

  test.each(KINDS)('%s waits until it is known from auth whether it is a return', (kind) => {
    expect(claimRefusal(kind, holder({ joinedAtMs: null }), TERMS)).toBe('not-known-yet');
  });

  test.each(KINDS)('%s is refused to an account that is deleted', (kind) => {
    expect(claimRefusal(kind, holder({ erased: true }), TERMS)).toBe('account-erased');
  });
});
