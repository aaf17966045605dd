import * as checkinEndpoints from '@cord/contracts/addresses/checkin';
import * as taskEndpoints from '@cord/contracts/addresses/tasks';
import type { UserTask } from '@cord/contracts/http/tasks';
import { offline, problem, SAMPLE_NOW_MS, sampleUser, storyOf, type TestSdk } from '@cord/sdk/testing';
import { expect, userEvent, within } from 'storybook/test';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { CHECKED_IN, checkedDays, keptDays, sampleTask, TASKS, tasksSdk } from './tasks.fixtures';
import { TasksPage } from './tasks-page';

const meta = { title: 'Tasks/Page', component: TasksPage } satisfies Meta<typeof TasksPage>;
export default meta;
type Story = StoryObj<typeof meta>;

function story(tasks: UserTask[] = TASKS, prepare?: (sdk: TestSdk) => void, user = sampleUser()): Story {
  return storyOf(TasksPage, () => tasksSdk(tasks, { user }), prepare);
}

export const Everything = story(TASKS, ({ api }) => {
  api.on(checkinEndpoints.history, [...keptDays(SAMPLE_NOW_MS, 12, 1), ...keptDays(SAMPLE_NOW_MS, 16, 15)]);
});
export const Loading = story(TASKS, ({ api }) => {
  api.hang(taskEndpoints.mine).hang(checkinEndpoints.status).hang(checkinEndpoints.history);
});
export const Failed = story(TASKS, ({ api }) => {
  api.fail(taskEndpoints.mine, offline()).fail(checkinEndpoints.status, problem(500, 'Failed to load check-in status'));
});
export const NoTasks = story([]);
export const CheckedIn = story(TASKS, ({ api }) => {
  api.on(checkinEndpoints.status, CHECKED_IN);
});
export const AMissedDay = story(TASKS, ({ api }) => {
  api.on(checkinEndpoints.history, checkedDays(6, [2]));
});
export const FirstDay = story(
  TASKS,
  ({ api }) => {
    api.on(checkinEndpoints.history, []).on(checkinEndpoints.status, {
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

export const EmptyFilter: Story = {
  ...story(TASKS.filter(({ type }) => type !== 'weekly')),
  play: async ({ canvasElement }) => {
    const canvas = within(canvasElement);
    await userEvent.click(await canvas.findByRole('radio', { name: /Weekly/ }));
    await expect(await canvas.findByText('No tasks available')).toBeVisible();
  },
};

export const Claiming: Story = {
  ...story(TASKS, ({ api }) => api.hang(taskEndpoints.complete)),
  play: async ({ canvasElement }) => {
    const canvas = within(canvasElement);
    await userEvent.click(await canvas.findByRole('button', { name: 'Claim 122.50 CORD' }));
    await expect(await canvas.findByRole('button', { name: 'Claiming...' })).toHaveAttribute('aria-busy', 'true');
  },
};
