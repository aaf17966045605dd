import { startForAdmin, testBadInput } from '@cord/kit/testing/bad-input-suite';
import { referralsService } from './service.js';

const bodies = (userId: string): Record<string, Record<string, unknown>> => ({
  'referrals.process': { userId, referralCode: 'ABCD2345' },
  'admin.decideHold': { decision: 'release', reason: 'Looked at' },
});

testBadInput('referrals', () =>
  startForAdmin(referralsService(), ({ id }, userId) => ({
    params: { userId, friendId: userId },
    body: bodies(userId)[id] ?? {},
  })),
);
