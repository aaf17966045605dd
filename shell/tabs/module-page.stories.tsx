import { createStore } from '@cord/sdk';
import type { PartName } from '@cord/sdk/host';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { PartSkeleton } from '../parts/part-skeleton';
import { PartFailed } from '../parts/parts-host';
import { storyIn } from '../testing/story-shell';
import type { PageState } from './module-app';
import { ModulePage } from './module-pages';

const meta = { title: 'Shell/Modules' } satisfies Meta;
export default meta;
type Story = StoryObj<typeof meta>;

function page(state: PageState): Story {
  const noop = () => undefined;
  const app = { tab: 'leaderboard', state: createStore(state), retry: noop, rendered: noop, threw: noop };
  return storyIn(<ModulePage app={app} />, ({ sdk }) => sdk.tabs.go(app.tab));
}

export const PageLoading: Story = page({ status: 'loading' });
export const PageFailed: Story = page({ status: 'failed', failure: 'manifest', failures: 1 });
export const PageFailedTwice: Story = page({ status: 'failed', failure: 'timeout', failures: 2 });
export const PageSwitchedOff: Story = page({ status: 'failed', failure: 'off', failures: 0 });

const part = (show: (name: PartName) => React.ReactNode): Story =>
  storyIn([show('mining/node-card'), show('tasks/tasks-card')]);

export const PartsLoading: Story = part((name) => <PartSkeleton key={name} name={name} />);
export const PartsFailed: Story = part((name) => (
  <PartFailed key={name} name={name} onRetry={() => undefined} reload={false} />
));
