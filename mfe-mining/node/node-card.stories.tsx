import type { MiningSession } from '@cord/contracts/http/mining';
import { at, problem, sampleMining, storyOf, type TestSdk } from '@cord/sdk/testing';
import type { StoryObj } from 'storybook-react-rsbuild';
import { miningSdk, pausedMining } from '../mining.fixtures';
import { NodeCard } from './node-card';

export default { title: 'Mining/Node card', component: NodeCard };

function story(session: MiningSession | null, prepare?: (sdk: TestSdk) => void): StoryObj {
  return storyOf(NodeCard, () => miningSdk(session), prepare);
}

export const Running = story(sampleMining(), (sdk) => sdk.clock.advance(4_000));
export const Idle = story(null);
export const Loading = story(null, ({ api }) => api.hang(at.mining.current));
export const Paused = story(pausedMining(388 * 60_000));
export const NotReachable = story(null, ({ api }) =>
  api.fail(at.mining.current, problem(500, 'Failed to get current session')),
);
