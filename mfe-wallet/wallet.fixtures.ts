import { rewardEndpoints } from '@cord/contracts/http/rewards';
import { createTestSdk, SAMPLE_NOW_MS, sampleUser, type TestSdk } from '@cord/sdk/testing';
import type { Order } from './orders';

const iso = (ms: number) => new Date(ms).toISOString();

export const ORDER: Order = {
  id: 'c'.repeat(32),
  reference: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
  lamports: 20_000_000,
  treasury: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
  walletAddress: null,
  usd: 3.12,
  usdAt: iso(SAMPLE_NOW_MS),
  estimate: false,
  createdAt: iso(SAMPLE_NOW_MS),
  expiresAt: iso(SAMPLE_NOW_MS + 15 * 60_000),
  status: 'pending',
  transactionHash: null,
  reason: null,
};

/** An sdk whose rewards service answers. */
export function walletSdk({ holder = false } = {}): TestSdk {
  const sdk = createTestSdk({ user: sampleUser({ hasbadgeofhonor: holder }) });
  sdk.api
    .on(rewardEndpoints.solPrice, { usd: 156, at: iso(SAMPLE_NOW_MS - 120_000), estimate: false })
    .on(rewardEndpoints.cordClaimHistory, { claims: [] })
    .on(rewardEndpoints.cordClaim, {
      success: true,
      amountClaimed: 10_000,
      newBalance: 58_213.57,
      pending: false,
      updatedUser: { id: sampleUser().id, balanceSeq: '101', current_balance: 58_213.57 },
    })
    .on(rewardEndpoints.createOrder, ORDER)
    .on(rewardEndpoints.order, ORDER);
  return sdk;
}
