import type { Endpoint } from '@cord/contracts/endpoint';
import { startForAdmin, testBadInput } from '@cord/kit/testing/bad-input-suite';
import { randomId } from '@cord/kit/testing/index';
import { testService } from './test/shop.js';

/** A valid call of each route. `id` is an order's in /badge-orders/:id, an epoch's in /epochs/:id, otherwise a user's. */
function goodCall({ id, path }: Endpoint, userId: string) {
  const params = { id: path.startsWith('/epochs') ? 'omega' : userId, userId };
  const epoch = {
    name: 'An epoch',
    description: 'Of the test',
    rewardsMultiplier: 1.5,
    startDate: '2030-01-01T00:00:00Z',
    endDate: '2030-02-01T00:00:00Z',
  };
  const bodies: Record<string, Record<string, unknown>> = {
    'compensation.claim': { userId },
    'cordClaims.claim': { userId },
    'epochs.create': { id: 'an-epoch', ...epoch },
    'epochs.update': epoch,
    'epochs.preview': { id: 'an-epoch', change: epoch },
    'badgePurchases.create': {
      userId,
      orderId: randomId(),
      walletAddress: '1'.repeat(40),
      transactionHash: '1'.repeat(87),
      amountSol: 0.02,
      amountUsd: 3,
    },
    'admin.recordRefund': { userId, transactionHash: '1'.repeat(87), note: 'Paid from an exchange' },
    'admin.returnRefund': { returnTransaction: '1'.repeat(87), note: 'By hand' },
    'solana.rpc': { jsonrpc: '2.0', id: 1, method: 'getLatestBlockhash', params: [] },
  };
  return { params, body: bodies[id] ?? {} };
}

testBadInput('rewards', () => startForAdmin(testService, goodCall));
