import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assess, COUNTS_FROM_MS, countingAddress, levelOf } from './levels.js';

describe('anti-cheat levels', () => {
  it.each([
    [1, 0, 100],
    [2, 0, 100],
    [3, 1, 75],
    [4, 2, 50],
    [5, 2, 50],
    [6, 3, 30],
    [9, 3, 30],
    [10, 4, 10],
    [5000, 4, 10],
  ])('%i accounts at an address give level %i and a rate of %i/100', (accounts, penaltyLevel, efficiencyHundredths) => {
    expect(levelOf(accounts)).toMatchObject({ penaltyLevel, efficiencyHundredths });
  });

  it('more accounts never give a better rate', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.nat(50), (accounts, more) => {
        expect(levelOf(accounts + more).efficiencyHundredths).toBeLessThanOrEqual(
          levelOf(accounts).efficiencyHundredths,
        );
      }),
    );
  });

  const facts = { accountsAtAddress: 0, addressesOfUser: 1, cleared: false, addressIsShared: false };

  it('two accounts at one address are flagged without a penalty', () => {
    expect(assess({ ...facts, accountsAtAddress: 2 })).toMatchObject({
      isFlagged: true,
      penaltyLevel: 0,
      efficiencyHundredths: 100,
      totalUsersOnIp: 2,
      otherUsersOnIp: 1,
      warningMessage:
        '1 other account has mined from your network address in the last 30 days. Your rate is not reduced.',
    });
  });

  it('a penalty includes the number of other accounts and the reason', () => {
    const assessed = assess({ ...facts, accountsAtAddress: 4 });
    expect(assessed).toMatchObject({ penaltyLevel: 2, efficiencyHundredths: 50, otherUsersOnIp: 3, riskScore: 50 });
    expect(assessed.warningMessage).toContain('reduced to 50%');
  });

  it('a cleared user and a shared address keep the full rate', () => {
    for (const pardon of [{ cleared: true }, { addressIsShared: true }]) {
      expect(assess({ ...facts, accountsAtAddress: 12, ...pardon })).toMatchObject({
        efficiencyHundredths: 100,
        penaltyLevel: 0,
        isFlagged: false,
        totalUsersOnIp: 12,
        warningMessage: null,
      });
    }
  });
});

describe('the address where a user counts', () => {
  it('is the one with the most mining, from one hour on', () => {
    expect(countingAddress([])).toBeNull();
    expect(countingAddress([{ addressHash: 'a', minedMs: COUNTS_FROM_MS - 1 }])).toBeNull();
    expect(countingAddress([{ addressHash: 'a', minedMs: COUNTS_FROM_MS }])).toBe('a');
    expect(
      countingAddress([
        { addressHash: 'a', minedMs: COUNTS_FROM_MS },
        { addressHash: 'b', minedMs: COUNTS_FROM_MS + 1 },
      ]),
    ).toBe('b');
  });

  it('does not depend on the order of the addresses', () => {
    const mined = fc.array(fc.record({ addressHash: fc.constantFrom('a', 'b', 'c'), minedMs: fc.nat(5_000_000) }));
    fc.assert(
      fc.property(mined, (list) => {
        expect(countingAddress([...list].reverse())).toBe(countingAddress(list));
      }),
    );
  });
});
