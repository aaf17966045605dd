import type { MiningSession } from '@cord/contracts/http/mining';
import { at, problem, sampleUser, storyOf, type TestSdk } from '@cord/sdk/testing';
import { expect, userEvent } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { leasedMining, miningSdk, pausedMining } from '../mining.fixtures';
import { LeaseStage } from './lease.stage';

export default { title: 'Mining/Lease', component: LeaseStage };

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

function story(session: MiningSession | null, prepare?: (sdk: TestSdk) => void): StoryObj {
  return storyOf(LeaseStage, () => miningSdk(session, { user: sampleUser({ is_node_active: true }) }), prepare);
}

/** Presses Extend, then waits for this text. */
function pressed(prepare: (sdk: TestSdk) => void, then: RegExp): StoryObj {
  return {
    ...story(leasedMining(249 * MINUTE_MS), prepare),
    play: async ({ canvas }) => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Extend' }));
      await expect((await canvas.findAllByText(then)).length).toBeGreaterThan(0);
    },
  };
}

export const PageOpen = story(leasedMining(8 * HOUR_MS));
export const EpochBegins: StoryObj = { ...story(leasedMining(8 * HOUR_MS, 373 * MINUTE_MS)), tags: ['w390'] };
export const EpochBeginsAt320: StoryObj = { ...EpochBegins, tags: ['w320'] };
export const HalfLeft = story(leasedMining(249 * MINUTE_MS));
export const SoonOver: StoryObj = { ...story(leasedMining(45 * MINUTE_MS)), tags: ['w320'] };
export const Extending = pressed(({ api }) => api.hang(at.mining.save), /^Extending\.\.\.$/);
export const Extended = pressed(() => undefined, /^8 h left\. Extended by 3 h 51 min\.$/);
export const NotExtended = pressed(
  ({ api }) => api.fail(at.mining.save, problem(503, 'Failed to save mining progress')),
  /^CORD could not be reached\./,
);
export const Paused: StoryObj = { ...story(pausedMining(388 * MINUTE_MS)), tags: ['w320'] };
export const PausedADayAgo = story(pausedMining(51 * HOUR_MS));
export const PausedJustNow = story(pausedMining(4 * MINUTE_MS));
export const Loading = story(null, ({ api }) => api.hang(at.mining.current));
