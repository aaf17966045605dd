import type { UserTask } from '@cord/contracts/http/tasks';
import { at, offline, problem, SAMPLE_NOW_MS, type TestSdk } from '@cord/sdk/testing';
import { inFakeTime, settle } from '@cord/sdk/testing/render';
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { TaskItem } from './task-item';
import { sampleTask, TASKS, tasksSdk } from './tasks.fixtures';
import { buttonIn, card, show, toasts } from './tasks.stage';
import { TasksCard } from './tasks-card';
import type { Checkin } from './use-checkin';

inFakeTime();

async function claim(
  task: Partial<UserTask> & Pick<UserTask, 'id'>,
  prepare: (sdk: TestSdk) => void = () => undefined,
) {
  const sdk = tasksSdk([sampleTask({ claimable: true, progress: 1, ...task })]);
  prepare(sdk);
  const { user } = await show(sdk);
  await user.click(buttonIn(task.id, /^Claim/));
  return sdk;
}

test.each([
  ['social', 'Social Task Completed!'],
  ['achievement', 'Achievement Completed!'],
  ['daily', 'Daily Task Completed!'],
  ['weekly', 'Weekly Task Completed!'],
  ['seasonal', 'Task Completed!'],
])('a claimed %s task shows its reward, rounded down, for 5 s', async (type, title) => {
  const sdk = await claim({ id: 'it', type, title: 'Mine for 1 hour', reward: 122.99 });
  expect(toasts(sdk)).toEqual([['success', title, '+122 CORD earned from "Mine for 1 hour"!', 5_000]]);
  expect(within(card('it')).getByText('Completed')).toBeDefined();
  expect(sdk.session.state.get().user?.current_balance).toBe(48_336.07);
});

test('a second after a claim, the tasks are read again', async () => {
  // By the page's clock, which also follows the machine's: time of the claim's response and of the list requests.
  const times = { claimedMs: Number.POSITIVE_INFINITY, readMs: 0 };
  await claim({ id: 'it' }, ({ api }) => {
    const call = api.call.bind(api) as (endpoint: { id: string }, input: unknown) => Promise<unknown>;
    const timed: typeof call = async (endpoint, input) => {
      if (endpoint.id === at.tasks.mine.id) times.readMs = Date.now();
      const answer = await call(endpoint, input);
      if (endpoint.id === at.tasks.complete.id) times.claimedMs = Date.now();
      return answer;
    };
    Object.assign(api, { call: timed });
  });
  await settle(1_100);
  expect(times.readMs - times.claimedMs).toBeGreaterThanOrEqual(1_000);
});

test('a claim carries an idempotency key and the base reward', async () => {
  const sdk = await claim({ id: 'it', reward: 122.5 });
  const [call] = sdk.api.callsOf(at.tasks.complete);
  expect(call?.body).toEqual({ rewardAmount: 35 });
  expect(call?.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
});

test('while a claim is sent, its button shows Claiming... and ignores a second press', async () => {
  const sdk = await claim({ id: 'it' }, ({ api }) => void api.hang(at.tasks.complete));
  const button = buttonIn('it', 'Claiming...');
  expect(button.getAttribute('aria-disabled')).toBe('true');
  button.click();
  expect(sdk.api.callsOf(at.tasks.complete)).toHaveLength(1);
});

test.each([
  [
    problem(409, 'This task has already been completed'),
    'warning',
    'Already Completed',
    'This task has already been completed',
  ],
  [problem(422, 'This task is not complete yet'), 'error', 'Completion Failed', 'This task is not complete yet'],
  [problem(500, 'Failed to complete task'), 'error', 'Completion Failed', 'Failed to complete task'],
  [problem(422, ''), 'error', 'Completion Failed', 'Unknown error'],
  [problem(404, 'Task not found'), 'error', 'Task Error', 'Task not found'],
  [
    offline('Failed to complete task'),
    'error',
    'Completion Failed',
    'Network error. Check your connection and try again.',
  ],
  [
    problem(403, 'Not allowed'),
    'error',
    'Completion Failed',
    'Permission error. Please refresh the page and try again.',
  ],
  [
    problem(500, 'Database function failed: x'),
    'error',
    'Completion Failed',
    'Database error occurred. Please try again.',
  ],
  // As it arrives while a service has no store: the call's own text, and the type.
  [
    problem(503, 'Failed to complete task', 'store-unavailable'),
    'error',
    'Completion Failed',
    'Database error occurred. Please try again.',
  ],
])('a failed claim shows its text: %#', async (error, kind, title, text) => {
  const sdk = await claim({ id: 'it' }, ({ api }) => void api.fail(at.tasks.complete, error));
  expect(toasts(sdk)).toEqual([[kind, title, text, 5_000]]);
  expect(buttonIn('it', /^Claim/)).toBeDefined();
});

test('a task that the server reports as completed is read again in half a second', async () => {
  const refused = problem(409, 'This task has already been completed');
  const sdk = await claim({ id: 'it' }, ({ api }) => void api.fail(at.tasks.complete, refused));
  const before = sdk.api.callsOf(at.tasks.mine).length;
  await settle(600);
  expect(sdk.api.callsOf(at.tasks.mine)).toHaveLength(before + 1);
});

test('a claim whose first attempt still runs is retried, not shown as completed', async () => {
  const sdk = tasksSdk([sampleTask({ id: 'a', claimable: true })]);
  let running = true;
  sdk.api.on(at.tasks.complete, () => {
    if (!running) throw problem(409, 'This task has already been completed', 'already-completed');
    running = false;
    throw problem(409, 'This request is still running', 'still-running');
  });
  const { user } = await show(sdk);
  await user.click(buttonIn('a', /^Claim/));
  expect(sdk.api.callsOf(at.tasks.complete)).toHaveLength(2);
  expect(toasts(sdk).map(([, title]) => title)).toEqual(['Already Completed']);
});

test.each([
  [
    'nobody is signed in any more',
    null,
    undefined,
    ['error', 'User Error', 'Please refresh the page and try again.', 5_000],
  ],
  ['the task is gone', undefined, [], ['error', 'Task Error', 'Task not found', 5_000]],
  [
    'it was completed elsewhere',
    undefined,
    [sampleTask({ id: 'it', completed: true })],
    ['info', 'Already Completed', 'This task has already been completed', 5_000],
  ],
] as const)('a claim on an outdated card is not sent: %s', async (_when, user, tasks, toast) => {
  const sdk = tasksSdk(tasks ? [...tasks] : TASKS, user === null ? { user } : {});
  const checkin = { performing: false, perform: () => undefined } as Checkin;
  const stale = <TaskItem task={sampleTask({ id: 'it', claimable: true })} checkin={checkin} />;
  const view = await show(
    sdk,
    user === null ? (
      stale
    ) : (
      <>
        <TasksCard />
        {stale}
      </>
    ),
  );
  await view.user.click(buttonIn('it', /^Claim/));
  expect(toasts(sdk)).toEqual([toast]);
  expect(sdk.api.callsOf(at.tasks.complete)).toEqual([]);
});

test('a claim within 5 s of the visit waits until the visit counts', async () => {
  const visitedAt = new Date(SAMPLE_NOW_MS - 2_000).toISOString();
  const task = sampleTask({
    id: 'x',
    type: 'social',
    socialUrl: 'https://x.com/cordmining',
    visitedAt,
    claimable: true,
  });
  const sdk = tasksSdk([task]);
  const { user } = await show(sdk);
  await user.click(buttonIn('x', /^Claim/));
  await settle(2_500);
  expect(sdk.api.callsOf(at.tasks.complete)).toHaveLength(0);
  await settle(700);
  expect(sdk.api.callsOf(at.tasks.complete)).toHaveLength(1);
});
