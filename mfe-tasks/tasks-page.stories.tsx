import type { UserTask } from '@cord/contracts/http/tasks';
import { at, offline, problem, SAMPLE_NOW_MS, sampleUser, storyOf, type TestSdk } from '@cord/sdk/testing';
import { expect, userEvent } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { CHECKED_IN, checkedDays, keptDays, sampleTask, TASKS, tasksSdk } from './tasks.fixtures';
import { TasksPage } from './tasks-page';

export default { title: 'Tasks/Page', component: TasksPage };

function story(tasks: UserTask[] = TASKS, prepare?: (sdk: TestSdk) => void, user = sampleUser()): StoryObj {
  return storyOf(TasksPage, () => tasksSdk(tasks, { user }), prepare);
}

export const Everything = story(TASKS, ({ api }) => {
  api.on(at.checkin.history, [...keptDays(SAMPLE_NOW_MS, 12, 1), ...keptDays(SAMPLE_NOW_MS, 16, 15)]);
});
export const Loading = story(TASKS, ({ api }) => {
  api.hang(at.tasks.mine).hang(at.checkin.status).hang(at.checkin.history);
});
export const Failed = story(TASKS, ({ api }) => {
  api.fail(at.tasks.mine, offline()).fail(at.checkin.status, problem(500, 'Failed to load check-in status'));
});
export const NoTasks = story([]);
export const CheckedIn = story(TASKS, ({ api }) => {
  api.on(at.checkin.status, CHECKED_IN);
});
export const AMissedDay = story(TASKS, ({ api }) => {
  api.on(at.checkin.history, checkedDays(6, [2]));
});
export const FirstDay = story(
  TASKS,
  ({ api }) => {
    api.on(at.checkin.history, []).on(at.checkin.status, {
      canCheckIn: true,
      currentStreak: 0,
      nextCheckInTime: new Date(SAMPLE_NOW_MS).toISOString(),
      dayKey: '2026-11-21',
      nextReward: 50,
      nextBonus: 5,
      stats: { longestStreak: 0, totalCheckIns: 0 },
      excused: [],
    });
  },
  sampleUser({ join_date: new Date(SAMPLE_NOW_MS).toISOString() }),
);
export const UnknownTypeAndLongWords = story([
  sampleTask({
    id: 'mystery',
    type: 'seasonal',
    title: 'A task of a kind that this page does not know, with a title that goes on and on',
    description: 'Kept and shown as a task.',
    reward: 9_999_999.99,
    maxProgress: 1_000_000,
    progress: 999_999,
    expiresAt: new Date(SAMPLE_NOW_MS + 90_000_000).toISOString(),
  }),
]);

export const EmptyFilter: StoryObj = {
  ...story(TASKS.filter(({ type }) => type !== 'weekly')),
  play: async ({ canvas }) => {
    await userEvent.click(await canvas.findByRole('radio', { name: /Weekly/ }));
    await expect(await canvas.findByText('No tasks available')).toBeVisible();
  },
};

export const Claiming: StoryObj = {
  ...story(TASKS, ({ api }) => api.hang(at.tasks.complete)),
  play: async ({ canvas }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'Claim 122.50 CORD' }));
    await expect(await canvas.findByRole('button', { name: 'Claiming...' })).toHaveAttribute('aria-busy', 'true');
  },
};
