import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ChainTransaction,
  type Due,
  isSince,
  judge,
  judgeUnassigned,
  OWED_FROM_LAMPORTS,
  type Transfer,
  withoutEarlier,
} from './payment.js';

const PRICE = 20_000_000;
const EXPIRES_MS = 1_000_000;
const DUE: Due = {
  reference: 'ref',
  treasury: 'treasury',
  lamports: PRICE,
  walletAddress: null,
  expiresAtMs: EXPIRES_MS,
};

const transfer = (more: Partial<Transfer> = {}): Transfer => {
  const { from = 'buyer', to = 'treasury', lamports = BigInt(PRICE) } = more;
  return { from, to, lamports, keys: [from, to, 'ref'], ...more };
};
/** A transaction with these transfers; `from` signs. */
const transaction = (transfers: Transfer[], more: Partial<ChainTransaction> = {}): ChainTransaction => {
  const changes = new Map<string, bigint>();
  const add = (who: string, lamports: bigint) => changes.set(who, (changes.get(who) ?? 0n) + lamports);
  for (const { from, to, lamports } of transfers) {
    add(from, -lamports);
    add(to, lamports);
  }
  const signers = [...new Set(transfers.map(({ from }) => from))];
  return { signature: 's', succeeded: true, blockTimeMs: 0, signers, transfers, changes, ...more };
};
const sumOf = (parts: readonly { lamports: bigint }[]) => parts.reduce((sum, { lamports }) => sum + lamports, 0n);
const verdictOf = (transfers: Transfer[], more: Partial<ChainTransaction> = {}, due: Partial<Due> = {}) =>
  judge({ ...DUE, ...due }, transaction(transfers, more));
const reasonOf = (...given: Parameters<typeof verdictOf>) => {
  const verdict = verdictOf(...given);
  return 'reason' in verdict ? verdict.reason : verdict.kind;
};

describe('a payment', () => {
  test('of the price, to the treasury, with the reference and in time is confirmed with its payer', () => {
    expect(verdictOf([transfer()])).toEqual({ kind: 'confirmed', paid: { payer: 'buyer', lamports: BigInt(PRICE) } });
    expect(reasonOf([transfer({ lamports: BigInt(PRICE) * 2n })])).toBe('confirmed');
    expect(reasonOf([transfer()], { blockTimeMs: EXPIRES_MS })).toBe('confirmed');
    expect(reasonOf([transfer()], {}, { walletAddress: 'buyer' })).toBe('confirmed');
    const halves = [transfer({ lamports: 12_000_000n }), transfer({ lamports: 8_000_000n })];
    expect(reasonOf(halves)).toBe('confirmed');
  });

  const TREASURY_PAYS = transfer({ from: 'treasury', to: 'buyer', lamports: 1n, keys: ['treasury', 'buyer'] });
  test.each<[string, ReturnType<typeof verdictOf>]>([
    ['transaction-failed', verdictOf([transfer()], { succeeded: false })],
    ['wrong-reference', verdictOf([transfer({ keys: ['buyer', 'treasury', 'other'] })])],
    ['wrong-reference', verdictOf([])],
    ['wrong-treasury', verdictOf([transfer({ to: 'thief' })])],
    ['other-payer', verdictOf([transfer({ from: 'friend' })], {}, { walletAddress: 'buyer' })],
    ['other-payer', verdictOf([transfer()], { signers: ['stranger'] })],
    ['other-payer', verdictOf([transfer({ lamports: 1n }), transfer({ from: 'friend' })])],
    ['amount-too-small', verdictOf([transfer({ lamports: BigInt(PRICE) - 1n })])],
    [
      'amount-too-small',
      verdictOf([transfer({ lamports: 1n }), transfer({ from: 'friend', keys: ['friend', 'treasury'] })]),
    ],
    ['refunded-inside', verdictOf([transfer(), TREASURY_PAYS])],
    ['refunded-inside', verdictOf([transfer()], { changes: new Map([['treasury', 0n]]) })],
    ['order-expired', verdictOf([transfer()], { blockTimeMs: EXPIRES_MS + 1_000 })],
  ])('is refused as %s', (reason, verdict) => {
    expect(verdict).toMatchObject({ kind: expect.stringMatching(/^(refused|owed)$/), reason });
  });

  test('stays undecided while the network gives no time for it', () => {
    expect(verdictOf([transfer()], { blockTimeMs: null })).toEqual({ kind: 'not-yet' });
  });

  test('that is refused is owed to each payer as far as it arrived', () => {
    const owed = (...given: Parameters<typeof verdictOf>) => {
      const verdict = verdictOf(...given);
      return verdict.kind === 'owed' ? verdict.paid : verdict.kind;
    };
    const ofBuyer = (lamports: bigint) => ({ payer: 'buyer', lamports });
    expect(owed([transfer()], { blockTimeMs: EXPIRES_MS + 1_000 })).toEqual([ofBuyer(BigInt(PRICE))]);
    expect(owed([transfer({ lamports: OWED_FROM_LAMPORTS })])).toEqual([ofBuyer(OWED_FROM_LAMPORTS)]);
    expect(owed([transfer(), TREASURY_PAYS])).toEqual([ofBuyer(BigInt(PRICE) - 1n)]);
    expect(owed([transfer()], { changes: new Map([['treasury', 0n]]) })).toBe('refused');
    expect(owed([transfer()], { succeeded: false })).toBe('refused');
    expect(owed([transfer({ to: 'thief' })])).toBe('refused');
    // Each of several payers is owed their own amount.
    const friend = { payer: 'friend', lamports: BigInt(PRICE) };
    const byFriend = transfer({ from: 'friend' });
    expect(owed([transfer({ lamports: 1n }), byFriend])).toEqual([friend]);
    expect(owed([transfer(), byFriend, transfer({ lamports: 5n })])).toEqual([ofBuyer(BigInt(PRICE) + 5n), friend]);
    expect(owed([transfer(), byFriend, TREASURY_PAYS])).toEqual([
      ofBuyer(BigInt(PRICE)),
      { ...friend, lamports: friend.lamports - 1n },
    ]);
  });
});

test('dust is not owed; an order cheaper than the floor is owed from its price on', () => {
  const kindOf = (lamports: bigint, price = PRICE) => {
    const changes = new Map([['treasury', lamports]]);
    return verdictOf([transfer({ lamports })], { changes, blockTimeMs: EXPIRES_MS + 1_000 }, { lamports: price }).kind;
  };
  expect([kindOf(1n), kindOf(OWED_FROM_LAMPORTS - 1n), kindOf(OWED_FROM_LAMPORTS)]).toEqual([
    'refused',
    'refused',
    'owed',
  ]);
  expect([kindOf(6n, 7), kindOf(7n, 7)]).toEqual(['refused', 'owed']);
});

describe('over random transactions', () => {
  const who = fc.constantFrom('buyer', 'friend', 'treasury', 'thief');
  const transfers = fc.array(
    fc.record({
      from: who,
      to: who,
      lamports: fc.oneof(fc.bigInt(0n, 40_000_000n), fc.constantFrom(19_999_999n, 20_000_000n, 20_000_001n)),
      named: fc.constantFrom('ref', 'other', null),
    }),
    { maxLength: 6 },
  );
  const world = fc.record({
    transfers,
    succeeded: fc.boolean(),
    blockTimeMs: fc.constantFrom(0, EXPIRES_MS, EXPIRES_MS + 1_000, null),
    walletAddress: fc.constantFrom(null, 'buyer'),
    unsigned: fc.constantFrom(null, 'buyer', 'friend'),
  });
  type World = typeof world extends fc.Arbitrary<infer W> ? W : never;
  const made = (w: World) => {
    const list = w.transfers.map(({ named, ...rest }) => ({
      ...rest,
      keys: [rest.from, rest.to, ...(named ? [named] : [])],
    }));
    const whole = transaction(list, { succeeded: w.succeeded, blockTimeMs: w.blockTimeMs });
    return { ...whole, signers: whole.signers.filter((signer) => signer !== w.unsigned) };
  };
  const judged = (w: World) => judge({ ...DUE, walletAddress: w.walletAddress }, made(w));
  const gained = (w: World) => made(w).changes.get('treasury') ?? 0n;

  test('a confirmed payment succeeded, in time, signed, with the reference, and raised the treasury by the price', () => {
    fc.assert(
      fc.property(world, (w) => {
        const verdict = judged(w);
        if (verdict.kind !== 'confirmed') return;
        const { payer } = verdict.paid;
        expect(w.succeeded).toBe(true);
        expect(w.blockTimeMs).toBeLessThanOrEqual(EXPIRES_MS);
        expect(gained(w)).toBeGreaterThanOrEqual(BigInt(PRICE));
        expect(made(w).signers).toContain(payer);
        if (w.walletAddress) expect(payer).toBe(w.walletAddress);
        const paid = w.transfers.filter(
          ({ from, to, named }) => from === payer && to === 'treasury' && named === 'ref',
        );
        expect(sumOf(paid)).toBeGreaterThanOrEqual(BigInt(PRICE));
      }),
      { numRuns: 5_000 },
    );
  });

  test('an honest payment is confirmed, whatever else is in the transaction, as long as the treasury keeps it', () => {
    fc.assert(
      fc.property(world, (w) => {
        const others = w.transfers.filter(({ from, named }) => from !== 'treasury' && named !== 'ref');
        const honest: World = {
          ...w,
          transfers: [...others, { from: 'buyer', to: 'treasury', lamports: BigInt(PRICE), named: 'ref' }],
          succeeded: true,
          blockTimeMs: 0,
          unsigned: null,
        };
        expect(judged(honest).kind).toBe('confirmed');
      }),
      { numRuns: 2_000 },
    );
  });

  test('the amount owed never exceeds the treasury’s gain, nor what each payer sent, with or without an order', () => {
    fc.assert(
      fc.property(world, (w) => {
        for (const verdict of [judged(w), judgeUnassigned('treasury', made(w))]) {
          if (verdict.kind !== 'owed') continue;
          for (const { payer, lamports } of verdict.paid) {
            const own = w.transfers.filter(({ from, to }) => from === payer && to === 'treasury');
            expect(lamports).toBeGreaterThan(0n);
            expect(lamports).toBeLessThanOrEqual(sumOf(own));
          }
          expect(sumOf(verdict.paid)).toBeLessThanOrEqual(gained(w));
          expect(w.succeeded).toBe(true);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  test('a payment without the reference, failed or taken back is never confirmed', () => {
    fc.assert(
      fc.property(world, (w) => {
        const nameless = { ...w, transfers: w.transfers.map((each) => ({ ...each, named: null })) };
        expect(judged(nameless).kind).toBe('refused');
        expect(judged({ ...w, succeeded: false })).toEqual({ kind: 'refused', reason: 'transaction-failed' });
        const back = gained(w) - BigInt(PRICE) + 1n;
        if (back <= 0n) return;
        const takenBack: World = {
          ...w,
          transfers: [...w.transfers, { from: 'treasury', to: 'buyer', lamports: back, named: null }],
        };
        expect(judged(takenBack).kind).toMatch(/^(refused|owed)$/);
      }),
      { numRuns: 2_000 },
    );
  });
});

test('a transaction from before the recorded payment does not return it, with a minute’s tolerance for clocks', () => {
  const recordedMs = 1_000_000_000;
  const at = (blockTimeMs: number) => isSince(blockTimeMs, recordedMs);
  expect([at(recordedMs - 60_001), at(recordedMs - 60_000), at(recordedMs)]).toEqual([false, true, true]);
});

describe('a transaction of several orders', () => {
  const transfer = (lamports: bigint, ...references: string[]) => ({
    from: 'payer',
    to: 'treasury',
    lamports,
    keys: ['payer', 'treasury', ...references],
  });

  test('counts no transfer for two orders: all shares together are at most what arrived', () => {
    const references = ['a', 'b', 'c', 'd'];
    const named = fc.record({
      lamports: fc.bigInt({ min: 1n, max: 50n }),
      references: fc.uniqueArray(fc.constantFrom(...references), { minLength: 1 }),
    });
    fc.assert(
      fc.property(fc.array(named, { maxLength: 8 }), fc.bigInt({ min: 0n, max: 60n }), (transfers, takenBack) => {
        const arrived = transfers.reduce((sum, { lamports }) => sum + lamports, 0n) - takenBack;
        const transaction = {
          signature: 's',
          succeeded: true,
          blockTimeMs: 0,
          signers: ['payer'],
          transfers: transfers.map((each) => transfer(each.lamports, ...each.references)),
          changes: new Map([['treasury', arrived]]),
        };
        let shared = 0n;
        references.forEach((reference, index) => {
          const due = { reference, treasury: 'treasury', lamports: 10, walletAddress: null, expiresAtMs: 1 };
          const earlier = references.slice(0, index);
          const verdict = judge(
            due,
            withoutEarlier(due, transaction, (key) => earlier.includes(key)),
          );
          if (verdict.kind === 'confirmed' || verdict.kind === 'owed') shared += sumOf([verdict.paid].flat());
        });
        expect(shared <= (arrived > 0n ? arrived : 0n)).toBe(true);
      }),
    );
  });
});
