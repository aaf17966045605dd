import { defineTexts, type TextsOf } from './i18n';

/**
 * What client A throws for each call when the server gives no text of its own (spec part 8, "Client A thrown messages"),
 * by method and path of the endpoint.
 */
const TEXTS = defineTexts('failures', {
  'GET /users/:id': 'Failed to fetch user',
  'GET /users/username/:username': 'Failed to fetch user',
  'GET /users/:id/username': 'Failed to fetch username',
  'POST /users': 'Failed to create user',
  'PUT /users/:id': 'Failed to update user',
  'GET /leaderboard': 'Failed to fetch leaderboard',
  'GET /leaderboard/me': 'Failed to fetch leaderboard',
  'GET /leaderboard/stats': 'Failed to fetch stats',
  'GET /stats': 'Failed to fetch stats',
  'POST /users/:id/activate-node': 'Failed to activate node',
  'POST /users/:id/deactivate-node': 'Failed to deactivate node',
  'GET /tasks': 'Failed to fetch tasks',
  'GET /users/:id/tasks': 'Failed to fetch user tasks',
  'POST /users/:id/tasks/:taskId/complete': 'Failed to complete task',
  'GET /tasks/:id': 'Failed to fetch task',
  'GET /tasks/type/:type': 'Failed to fetch tasks by type',
  'POST /tasks': 'Failed to create task',
  'PUT /tasks/:id': 'Failed to update task',
  'DELETE /tasks/:id': 'Failed to delete task',
  'POST /users/:id/mining/start': 'Failed to start mining',
  'GET /users/:id/mining/current': 'Failed to get current session',
  'PUT /mining/:sid': 'Failed to update mining session',
  'POST /mining/:sid/end': 'Failed to end mining session',
  'POST /users/:id/mining/:sid/save': 'Failed to save mining progress',
  'GET /users/:id/mining/history': 'Failed to get mining history',
  'GET /users/:id/settings': 'Failed to get user settings',
  'PUT /users/:id/settings': 'Failed to update user settings',
  'GET /referrals/:userId/stats': 'Failed to fetch referral stats',
  'GET /referrals/:userId/earnings': 'Failed to fetch referral earnings',
  'POST /referrals/process': 'Failed to process referral',
  'GET /daily-checkin/status/:userId': 'Failed to load check-in status',
  'GET /daily-checkin/history/:userId': 'Failed to load check-in history',
  'POST /daily-checkin/perform': 'Failed to perform check-in',
  'POST /compensation/claim': 'Failed to claim compensation',
  'POST /cord-claims/claim': 'Failed to claim CORDs',
  'POST /badge-purchases': 'Failed to create badge purchase record',
  // A purchase begins with its order here (decisions, Safety).
  'POST /badge-orders': 'Failed to create badge purchase record',
});

type Call = keyof TextsOf<typeof TEXTS>;

const CALL_BY_SHAPE = new Map((Object.keys(TEXTS.get()) as Call[]).map((call) => [shape(call), call]));

/** A route with the names of its parameters left out: they do not change which call it is. */
function shape(methodAndPath: string): string {
  return methodAndPath.replace(/:\w+/g, ':');
}

/** The specification's text for a failed call; null where it gives none. */
export function fallbackText(method: string, path: string): string | null {
  const call = CALL_BY_SHAPE.get(shape(`${method} ${path}`));
  return call === undefined ? null : TEXTS.get()[call];
}
