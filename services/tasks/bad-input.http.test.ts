import type { Endpoint } from '@cord/contracts/endpoint';
import { startForAdmin, testBadInput } from '@cord/kit/testing/bad-input-suite';
import { service } from './service.js';

/** A valid call of each route. `id` is a user's in /users/:id and a task's elsewhere. */
function goodCall({ id, path }: Endpoint, userId: string) {
  const params = {
    id: path.startsWith('/users/') ? userId : 'follow-x',
    userId,
    taskId: 'follow-x',
    type: 'daily',
  };
  const task = { type: 'daily', title: 'A task', description: 'Of the test', reward: 5, maxProgress: 1 };
  const bodies: Record<string, Record<string, unknown>> = {
    'tasks.create': { id: 'a-task', ...task },
    'tasks.update': task,
    'checkin.perform': { userId },
  };
  return { params, body: bodies[id] ?? {} };
}

testBadInput('tasks', () => startForAdmin(service, goodCall));
