import { at, SAMPLE_NOW_MS, type TestSdk, type TestSdkOptions } from '@cord/sdk/testing';
import { overviewSdk } from '../overview/overview.fixtures';
import type { Refund } from './use-refunds';

const HOUR_MS = 3_600_000;
const agoOf = (hours: number) => new Date(SAMPLE_NOW_MS - hours * HOUR_MS).toISOString();

export function sampleRefund(n: number, changes: Partial<Refund> = {}): Refund {
  return {
    id: n.toString(16).padStart(32, '0'),
    orderId: 'c'.repeat(32),
    userId: n.toString(16).padStart(32, 'f'),
    transactionHash: String(n).repeat(88),
    walletAddress: `So1Wa11et${n}${'x'.repeat(33)}`,
    lamports: 20_000_000,
    reason: 'order-expired',
    at: agoOf(30 - n),
    status: 'open',
    returnTransaction: null,
    returnedAt: null,
    note: null,
    proof: 'open',
    disproved: null,
    ...changes,
  };
}

export const REFUNDS: readonly Refund[] = [
  sampleRefund(1),
  sampleRefund(2, { reason: 'wrong-reference', lamports: 25_500_000, userId: null }),
  sampleRefund(3, { reason: 'paid-twice', proof: 'noted', returnTransaction: '7'.repeat(88), returnedAt: agoOf(1) }),
  sampleRefund(4, { reason: 'other-payer', disproved: { transaction: '8'.repeat(88), at: agoOf(2) } }),
];

/** An sdk of an operator who has Refunds open. A refund with a transaction counts as noted. */
export function refundsSdk(options: TestSdkOptions = {}): TestSdk {
  const sdk = overviewSdk(options);
  const refunds = new Map(REFUNDS.map((refund) => [refund.id, refund]));
  sdk.tabs.setParam('admin', 'view', 'refunds');
  sdk.api
    .on(at.rewards.refunds, ({ query }) => ({
      refunds: [...refunds.values()].filter(({ status }) => status === query?.status),
      nextCursor: null,
    }))
    .on(at.rewards.returnRefund, ({ params, body }) => {
      const noted = { proof: 'noted', returnTransaction: body?.returnTransaction ?? '', returnedAt: agoOf(0) };
      const refund: Refund = { ...(refunds.get(params?.id ?? '') ?? sampleRefund(9)), ...noted };
      refunds.set(refund.id, refund);
      return refund;
    });
  return sdk;
}
