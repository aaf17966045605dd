import { at, offline, storyOf, type TestSdk } from '@cord/sdk/testing';
import type { StoryObj } from 'storybook-react-rsbuild';
import { Room } from '../room/room';
import { IN_ROOM } from '../room/room.meta';
import { epochsSdk, refusal, samplePreview, sampleTask } from './epochs.fixtures';

export default { ...IN_ROOM, title: 'Operators/Tasks and epochs' };

function story(prepare?: (sdk: TestSdk) => void): StoryObj {
  return storyOf(Room, () => epochsSdk(), prepare);
}
const open = (param: 'epoch' | 'task', id: string) => (sdk: TestSdk) => sdk.tabs.setParam('admin', param, id);

export const Shown = story();
export const Sampled = story(
  ({ api }) =>
    void api.on(at.epochs.previewEpoch, samplePreview(1.25, { nodes: 31_400, sampled: 2_000, isWhole: false })),
);
export const NobodyMines = story(
  ({ api }) => void api.on(at.epochs.previewEpoch, samplePreview(1.25, { nodes: 0, sampled: 0, adds: 0 })),
);
export const InForce = story(open('epoch', 'beta'));
export const NewEpoch = story(open('epoch', 'new'));
export const Refused = story(
  ({ api }) => void api.fail(at.epochs.previewEpoch, refusal('startDate', 'overlaps with Epoch Delta')),
);
export const NoEpochs = story(({ api }) => void api.on(at.epochs.epochs, []));
export const OneTask = story(open('task', 'mine-1-hour'));
export const NewTask = story(open('task', 'new'));
export const LongestTask = story(({ api }) => {
  const task = sampleTask({ id: 'w'.repeat(64), type: 'x'.repeat(32), reward: 10_000 });
  api.on(at.tasks.catalogue, { tasks: [task], days: 7, countedSince: null });
});
export const Loading = story(({ api }) => void api.hang(at.epochs.epochs).hang(at.tasks.catalogue));
export const Failed = story(
  ({ api }) => void api.fail(at.epochs.epochs, offline()).fail(at.tasks.catalogue, offline()),
);
