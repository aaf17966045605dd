import { ORDER_REASONS, PAYMENT_REFUSALS } from '@cord/contracts/http/rewards';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextLookAtMs, WATCHED_MS } from './look-schedule.js';
import {
  afterDoubt,
  afterLoss,
  afterProof,
  afterRefund,
  afterRefusal,
  afterSeen,
  afterSent,
  ERASED,
  isLost,
  isReusable,
  ORDER_MS,
  type Order,
  orderAt,
} from './orders.js';
import { IN_DOUBT, LOST, NOT_PAID, NOT_PAID_YET, reasonCode, refusalText, returnText } from './reasons.js';

const NOW = Date.UTC(2026, 10, 21);
const MINUTE_MS = 60_000;
const OPEN: Order = {
  userId: 'u',
  reference: 'r',
  lamports: 1,
  treasury: 't',
  walletAddress: null,
  usd: 1,
  usdAtMs: NOW,
  estimate: true,
  createdAtMs: NOW,
  expiresAtMs: NOW + ORDER_MS,
  status: 'pending',
  transactionHash: null,
  sentAtMs: null,
  payer: null,
  confirmedAtMs: null,
  reason: null,
  judged: [],
  looks: 0,
  lookedAtMs: null,
  lookAtMs: NOW,
};
const sent = afterSent(OPEN, 'a', NOW) as Order;
const proven = afterProof(sent, 'a', 'payer', NOW) as Order;

test('every reason shown for an order has a code, and every code is used', () => {
  const reasons = [
    IN_DOUBT,
    NOT_PAID,
    NOT_PAID_YET,
    LOST,
    ...PAYMENT_REFUSALS.flatMap((why) => [refusalText(why), returnText(why)]),
  ];
  expect(reasons.map(reasonCode)).toEqual(ORDER_REASONS);
  expect(reasonCode(null)).toBeNull();
});

describe('an order', () => {
  test('expires when unpaid, and shows “nothing was charged” only after a conclusive query', () => {
    const end = OPEN.expiresAtMs;
    expect(orderAt(OPEN, end - 1).status).toBe('pending');
    expect(orderAt(OPEN, end)).toMatchObject({
      status: 'expired',
      reason: expect.not.stringContaining('Nothing was charged'),
    });
    const looked = { ...OPEN, lookedAtMs: end + MINUTE_MS };
    expect(orderAt(looked, end + MINUTE_MS)).toMatchObject({
      status: 'expired',
      reason: expect.stringContaining('Nothing was charged'),
    });
  });

  test('with a payment is sent, then unknown, and never expires', () => {
    expect(orderAt(sent, NOW).status).toBe('sent');
    expect(orderAt(sent, NOW + MINUTE_MS)).toMatchObject({
      status: 'unknown',
      reason: expect.stringContaining('Please do not pay again'),
    });
    expect(orderAt(sent, NOW + 1_000 * ORDER_MS).status).toBe('unknown');
  });

  test('keeps the reported payment while another one is seen', () => {
    expect(afterSeen(OPEN, 'a', NOW)).toMatchObject({ status: 'sent', transactionHash: 'a', sentAtMs: NOW });
    expect(afterSeen(sent, 'b', NOW + MINUTE_MS)).toBeNull();
    expect(afterSent(sent, 'b', NOW + MINUTE_MS)).toMatchObject({ transactionHash: 'b', sentAtMs: NOW + MINUTE_MS });
    expect(afterSent(sent, 'a', NOW + MINUTE_MS)).toBeNull();
  });

  test('stays confirmed, whatever follows', () => {
    expect(afterSent(proven, 'b', NOW)).toBeNull();
    expect(afterProof(proven, 'b', 'other', NOW)).toBeNull();
    expect(afterRefund(proven, 'b', 'paid-twice', 'other')).toMatchObject({
      status: 'confirmed',
      transactionHash: 'a',
      payer: 'payer',
    });
    expect(afterRefusal(proven, 'b', 'wrong-reference')).toMatchObject({ status: 'confirmed', transactionHash: 'a' });
    expect(isLost(proven, NOW + 1_000 * ORDER_MS)).toBe(false);
  });

  test('of an erased buyer is confirmed without payer and transaction, however often', () => {
    const gone = afterProof({ ...sent, userId: ERASED }, 'a', 'payer', NOW) as Order;
    expect(gone).toMatchObject({ status: 'confirmed', payer: null, transactionHash: null, walletAddress: null });
    expect(afterProof(gone, 'a', 'payer', NOW)).toBe(gone);
    expect(afterProof(gone, 'b', 'other', NOW)).toBeNull();
  });

  test('can still be confirmed by the right payment after a wrong one', () => {
    const wrong = afterRefund(sent, 'a', 'amount-too-small', 'payer');
    expect(wrong.status).toBe('refund');
    expect(afterProof(wrong, 'b', 'payer', NOW)).toMatchObject({
      status: 'confirmed',
      transactionHash: 'b',
      reason: null,
    });
  });

  test('with a refund stays a refund, whatever signature is submitted, and is queried soon', () => {
    const back = afterRefund(sent, 'a', 'order-expired', 'payer');
    expect(afterSent(back, 'made-up', NOW)).toEqual({ ...back, looks: 0, lookAtMs: NOW + 1_000 });
    expect(afterSeen(back, 'made-up', NOW)).toBeNull();
    expect(isLost(back, NOW + 1_000 * ORDER_MS)).toBe(false);
  });

  test('can be paid again after its payment is refused or lost; a refusal of another signature changes nothing', () => {
    expect(afterRefusal(sent, 'a', 'transaction-failed')).toMatchObject({
      status: 'pending',
      transactionHash: null,
      judged: ['a'],
    });
    expect(afterRefusal(sent, 'b', 'wrong-reference')).toMatchObject({
      status: 'sent',
      transactionHash: 'a',
      judged: ['b'],
    });
    expect(isLost(sent, NOW + MINUTE_MS)).toBe(false);
    expect(isLost(sent, NOW + 3 * MINUTE_MS)).toBe(true);
    expect(afterLoss(sent)).toMatchObject({ status: 'pending', transactionHash: null, sentAtMs: null });
  });

  test('can be paid again while in doubt, and shows “nothing was charged” only after a conclusive query', () => {
    const end = OPEN.expiresAtMs;
    const doubted = afterDoubt({ ...sent, lookedAtMs: end + MINUTE_MS });
    expect(orderAt(doubted, NOW)).toMatchObject({ status: 'pending', transactionHash: null, reason: IN_DOUBT });
    expect(orderAt(doubted, end + MINUTE_MS)).toMatchObject({ status: 'expired', reason: NOT_PAID_YET });
  });

  test('is returned again while that wallet can pay it or it is in doubt', () => {
    expect(isReusable(OPEN, null, NOW)).toBe(true);
    expect(isReusable(OPEN, 'wallet', NOW)).toBe(false);
    expect(isReusable(OPEN, null, OPEN.expiresAtMs - MINUTE_MS)).toBe(false);
    expect(isReusable(sent, 'wallet', OPEN.expiresAtMs + MINUTE_MS)).toBe(true);
    expect(isReusable(proven, null, NOW)).toBe(false);
  });
});

describe('queries of the chain', () => {
  /** Returns the times of all looks at an order whose state does not change. */
  const looksOf = (order: Order): number[] => {
    const at: number[] = [];
    let next: number | null = NOW;
    for (let looks = 0; next !== null && at.length < 50_000; looks += 1) {
      at.push(next);
      next = nextLookAtMs({ ...order, looks }, next);
    }
    return at;
  };

  test('continue until a week after the order’s end, fewer than 150 per order', () => {
    for (const order of [OPEN, proven]) {
      const at = looksOf(order);
      expect(at.at(-1)).toBeGreaterThan(order.expiresAtMs + WATCHED_MS);
      expect(at.length).toBeLessThan(150);
    }
  });

  test('happen within about a minute after the order’s end, when a last payment is finalised', () => {
    const [after] = looksOf(OPEN).filter((ms) => ms >= OPEN.expiresAtMs + 30_000);
    expect(after).toBeLessThanOrEqual(OPEN.expiresAtMs + 65_000);
  });

  test('are at most 15 s apart while a payment is on its way, for a week after the end and after its submission', () => {
    const late = OPEN.expiresAtMs + WATCHED_MS + MINUTE_MS;
    for (const [order, untilMs] of [
      [sent, OPEN.expiresAtMs + WATCHED_MS],
      [afterSent(OPEN, 'a', late) as Order, late + WATCHED_MS],
    ] as const) {
      fc.assert(
        fc.property(fc.nat(10_000), fc.integer({ min: NOW, max: untilMs }), (looks, atMs) => {
          const next = nextLookAtMs({ ...order, looks }, atMs);
          expect(next).toBeGreaterThan(atMs);
          expect(next).toBeLessThanOrEqual(atMs + 15_000);
        }),
      );
      expect(nextLookAtMs(order, untilMs + 1)).toBeNull();
    }
  });
});
