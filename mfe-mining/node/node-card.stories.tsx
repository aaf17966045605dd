import * as miningEndpoints from '@cord/contracts/addresses/mining';
import type { MiningSession } from '@cord/contracts/http/mining';
import { problem, sampleMining, storyOf, type TestSdk } from '@cord/sdk/testing';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { miningSdk, pausedMining } from '../mining.fixtures';
import { NodeCard } from './node-card';

const meta = { title: 'Mining/Node card', component: NodeCard } satisfies Meta<typeof NodeCard>;
export default meta;
type Story = StoryObj<typeof meta>;

function story(session: MiningSession | null, prepare?: (sdk: TestSdk) => void): Story {
  return storyOf(NodeCard, () => miningSdk(session), prepare);
}

export const Running = story(sampleMining(), (sdk) => sdk.clock.advance(4_000));
export const Idle = story(null);
export const Loading = story(null, ({ api }) => api.hang(miningEndpoints.current));
export const Paused = story(pausedMining(388 * 60_000));
export const NotReachable = story(null, ({ api }) =>
  api.fail(miningEndpoints.current, problem(500, 'Failed to get current session')),
);
