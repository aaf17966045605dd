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
  test.each(KINDS)('allow %s once to a user who was never erased', (kind) => {
    expect(claimRefusal(kind, holder(), TERMS)).toBeNull();
    const made = holder({ [kind]: { amountMicro: 1n, atMs: 1 } });
    expect(claimRefusal(kind, made, TERMS)).toBe('already-claimed');
  });

  test.each(KINDS)('refuse %s to a user who returned after an erasure, even with a new badge', (kind) => {
    expect(claimRefusal(kind, holder({ returning: true }), TERMS)).toBe('returning');
  });

  test.each(KINDS)('refuse %s until auth’s registration of the user is known', (kind) => {
    expect(claimRefusal(kind, holder({ joinedAtMs: null }), TERMS)).toBe('not-known-yet');
  });

  test.each(KINDS)('refuse %s to an erased account', (kind) => {
    expect(claimRefusal(kind, holder({ erased: true }), TERMS)).toBe('account-erased');
  });
});
