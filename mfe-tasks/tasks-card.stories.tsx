import * as checkinEndpoints from '@cord/contracts/addresses/checkin';
import * as taskEndpoints from '@cord/contracts/addresses/tasks';
import { offline, storyOf, type TestSdk } from '@cord/sdk/testing';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { CHECKED_IN, TASKS, tasksSdk } from './tasks.fixtures';
import { TasksCard } from './tasks-card';

const meta = { title: 'Tasks/Card', component: TasksCard } satisfies Meta<typeof TasksCard>;
export default meta;
type Story = StoryObj<typeof meta>;

function story(prepare?: (sdk: TestSdk) => void): Story {
  return storyOf(TasksCard, () => tasksSdk(TASKS), prepare);
}

export const Standing = story();
export const CheckedIn = story(({ api }) => void api.on(checkinEndpoints.status, CHECKED_IN));
export const Loading = story(({ api }) => void api.hang(taskEndpoints.mine).hang(checkinEndpoints.status));
export const Failed = story(({ api }) => void api.fail(taskEndpoints.mine, offline()));
