import { at, offline, storyOf, type TestSdk } from '@cord/sdk/testing';
import type { StoryObj } from 'storybook-react-rsbuild';
import { CHECKED_IN, TASKS, tasksSdk } from './tasks.fixtures';
import { TasksCard } from './tasks-card';

export default { title: 'Tasks/Card', component: TasksCard };

function story(prepare?: (sdk: TestSdk) => void): StoryObj {
  return storyOf(TasksCard, () => tasksSdk(TASKS), prepare);
}

export const Standing = story();
export const CheckedIn = story(({ api }) => void api.on(at.checkin.status, CHECKED_IN));
export const Loading = story(({ api }) => void api.hang(at.tasks.mine).hang(at.checkin.status));
export const Failed = story(({ api }) => void api.fail(at.tasks.mine, offline()));
