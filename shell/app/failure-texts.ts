import { defineTexts } from '@cord/sdk';

/** Error texts of client A for calls whose response has no text, by endpoint id; only endpoints that pages call. */
const TEXTS = defineTexts('failures', {
  'users.get': 'Failed to fetch user',
  'users.update': 'Failed to update user',
  'leaderboard.list': 'Failed to fetch leaderboard',
  'leaderboard.me': 'Failed to fetch leaderboard',
  'leaderboard.stats': 'Failed to fetch stats',
  'stats.global': 'Failed to fetch stats',
  'tasks.list': 'Failed to fetch tasks',
  'tasks.mine': 'Failed to fetch user tasks',
  'tasks.complete': 'Failed to complete task',
  'tasks.create': 'Failed to create task',
  'tasks.update': 'Failed to update task',
  'tasks.remove': 'Failed to delete task',
  'mining.start': 'Failed to start mining',
  'mining.current': 'Failed to get current session',
  'mining.end': 'Failed to end mining session',
  'mining.save': 'Failed to save mining progress',
  'mining.history': 'Failed to get mining history',
  'users.getSettings': 'Failed to get user settings',
  'users.putSettings': 'Failed to update user settings',
  'referrals.stats': 'Failed to fetch referral stats',
  'referrals.process': 'Failed to process referral',
  'checkin.status': 'Failed to load check-in status',
  'checkin.history': 'Failed to load check-in history',
  'checkin.perform': 'Failed to perform check-in',
  'compensation.claim': 'Failed to claim compensation',
  'cordClaims.claim': 'Failed to claim CORDs',
  'badgePurchases.create': 'Failed to create badge purchase record',
  // A purchase starts with its order here.
  'badgeOrders.create': 'Failed to create badge purchase record',
});

/** Returns the text for a failed call of an endpoint, or null. */
export function failureText(endpointId: string): string | null {
  return (TEXTS.get() as Record<string, string>)[endpointId] ?? null;
}
