import { randomBytes } from 'node:crypto';
import type { Input } from './client.js';

/** Whose ids stand in an example. */
export interface Owner {
  userId: string;
  username: string;
}

const id = () => randomBytes(16).toString('hex');
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const byId = (owner: Owner): Input => ({ params: { id: owner.userId } });
const byUserId = (owner: Owner): Input => ({ params: { userId: owner.userId } });
const naming = (owner: Owner): Input => ({ body: { userId: owner.userId } });
const empty = (): Input => ({ body: {} });
const nothing = (): Input => ({});
const taskOf = (owner: Owner): Input => ({ params: { id: owner.userId, taskId: 'early-adopter' }, body: {} });

/** A well-formed call of every endpoint, by its id. A new endpoint needs a line here, or the tests that read this fail. */
export const EXAMPLES: Readonly<Record<string, (owner: Owner) => Input>> = {
  'auth.exchange': () => ({ body: { code: 'not-a-code' } }),
  'auth.me': nothing,
  'auth.acknowledgeWelcome': empty,
  'auth.logout': empty,
  'auth.sessions': nothing,
  'auth.endSessions': nothing,
  'auth.endSession': () => ({ params: { id: id() } }),
  'auth.jwks': nothing,
  'users.get': byId,
  'users.byUsername': (owner) => ({ params: { username: owner.username } }),
  'users.username': byId,
  'users.create': empty,
  'users.update': (owner) => ({ ...byId(owner), body: { theme: 'dark' } }),
  'users.updateProfile': () => ({ body: { locale: 'en' } }),
  'users.stats': nothing,
  'users.getSettings': byId,
  'users.putSettings': (owner) => ({ ...byId(owner), body: { autoStart: false } }),
  'users.export': byId,
  'users.remove': (owner) => ({ ...byId(owner), body: { confirm: 'not the name' } }),
  'anticheat.status': nothing,
  'clientErrors.report': () => ({
    body: { errors: [{ message: 'x is not a function', versions: { shell: '1', sdk: '1.1.0' }, at: inDays(0) }] },
  }),
  'admin.clientErrors': nothing,
  'support.file': () => ({ body: { kind: 'support', subject: 'A question', text: 'How does the streak work?' } }),
  'support.mine': nothing,
  'admin.support': nothing,
  'admin.answer': () => ({ params: { id: id() }, body: { answer: 'Like this.' } }),
  'admin.audit': nothing,
  'admin.addresses': nothing,
  'admin.markAddress': () => ({ params: { key: 'ab'.repeat(16) }, body: { shared: true, reason: 'A school' } }),
  'admin.user': byId,
  'admin.changeUser': (owner) => ({ ...byId(owner), body: { cleared: true, reason: 'Looked at' } }),
  'admin.parkedCredits': nothing,
  'admin.retryParkedCredit': () => ({ body: { service: 'tasks', key: 'task:no-such-credit' } }),
  'admin.switches': nothing,
  'admin.throwSwitch': () => ({ params: { name: 'module.mfe_none' }, body: { on: true, why: 'Never off' } }),
  'mining.activate': (owner) => ({ ...byId(owner), body: {} }),
  'mining.deactivate': (owner) => ({ ...byId(owner), body: {} }),
  'mining.start': (owner) => ({ ...byId(owner), body: {} }),
  'mining.current': byId,
  'mining.rate': byId,
  'mining.update': () => ({ params: { sessionId: id() }, body: { earnings: 1 } }),
  'mining.end': () => ({ params: { sessionId: id() }, body: { finalEarnings: 1 } }),
  'mining.save': (owner) => ({ params: { id: owner.userId, sessionId: id() }, body: { earningsToAdd: 1 } }),
  'mining.history': byId,
  'mining.ledger': byId,
  'mining.earnings': (owner) => ({ ...byId(owner), query: { range: '7d' } }),
  'mining.startB': empty,
  'mining.stopB': empty,
  'mining.updateB': () => ({ body: { earnings: 1 } }),
  'mining.stats': nothing,
  'tasks.list': nothing,
  'tasks.byType': () => ({ params: { type: 'daily' } }),
  'tasks.get': () => ({ params: { id: 'early-adopter' } }),
  'tasks.create': () => ({
    body: { id: `t${id().slice(0, 8)}`, type: 'daily', title: 'A task', description: '', reward: 1, maxProgress: 1 },
  }),
  'tasks.update': () => ({ params: { id: 'early-adopter' }, body: { description: 'Five years or more.' } }),
  'tasks.remove': () => ({ params: { id: 'no-such-task' } }),
  'tasks.mine': byId,
  'tasks.visit': (owner) => ({ params: { id: owner.userId, taskId: 'follow-x' }, body: {} }),
  'tasks.complete': taskOf,
  'tasks.completeB': () => ({ params: { id: 'early-adopter' }, body: {} }),
  'checkin.status': byUserId,
  'checkin.perform': naming,
  'checkin.history': byUserId,
  'checkin.stats': byUserId,
  'referrals.process': (owner) => ({ body: { userId: owner.userId, referralCode: 'ZZZZZZZ9' } }),
  'referrals.stats': byUserId,
  'referrals.earnings': byUserId,
  'referrals.statsB': nothing,
  'referrals.historyB': nothing,
  'referrals.earningsB': () => ({ query: { period: 'all' } }),
  'referrals.release': (owner) => ({ params: { userId: owner.userId, friendId: id() }, body: {} }),
  'compensation.claim': naming,
  'compensation.status': nothing,
  'cordClaims.claim': naming,
  'cordClaims.history': byUserId,
  'badgeOrders.create': empty,
  'badgeOrders.list': nothing,
  'badgeOrders.get': () => ({ params: { id: id() } }),
  'badgePurchases.create': (owner) => ({
    body: {
      userId: owner.userId,
      orderId: id(),
      walletAddress: '1'.repeat(32),
      transactionHash: '1'.repeat(88),
      amountSol: 0.02,
      amountUsd: 1,
    },
  }),
  'badgePurchases.list': byId,
  'wallet.settings': nothing,
  'admin.refunds': nothing,
  'admin.returnRefund': () => ({ params: { id: id() }, body: { returnTransaction: '1'.repeat(88) } }),
  'epochs.current': nothing,
  'epochs.list': nothing,
  'epochs.create': () => ({
    body: {
      id: `e${id().slice(0, 8)}`,
      name: 'An epoch',
      description: '',
      rewardsMultiplier: 1.5,
      startDate: inDays(5_000 + Math.floor(Math.random() * 1_000)),
      endDate: inDays(6_001),
    },
  }),
  'epochs.update': () => ({ params: { id: 'omega' }, body: { description: 'The last one.' } }),
  'epochs.remove': () => ({ params: { id: 'no-such-epoch' } }),
  'prices.sol': nothing,
  'solana.rpc': () => ({ body: { jsonrpc: '2.0', id: 1, method: 'getLatestBlockhash', params: [] } }),
  'leaderboard.list': () => ({ query: { limit: '10' } }),
  'leaderboard.stats': nothing,
  'leaderboard.me': nothing,
  'leaderboard.miner': byId,
  'stats.global': nothing,
};
