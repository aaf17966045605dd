import { createStore } from '@cord/sdk';
import type { PartName } from '@cord/sdk/host';
import type { StoryObj } from 'storybook-react-rsbuild';
import { PartSkeleton } from '../parts/part-skeleton';
import { PartFailed } from '../parts/parts-host';
import { storyIn } from '../testing/story-shell';
import type { PageState } from './module-app';
import { ModulePage } from './module-pages';

export default { title: 'Shell/Modules' };

function page(state: PageState): StoryObj {
  const noop = () => undefined;
  const app = { tab: 'leaderboard', state: createStore(state), retry: noop, rendered: noop, threw: noop };
  return storyIn(<ModulePage app={app} />, ({ sdk }) => sdk.tabs.go(app.tab));
}

export const PageLoading: StoryObj = page({ status: 'loading' });
export const PageFailed: StoryObj = page({ status: 'failed', failure: 'manifest', failures: 1 });
export const PageFailedTwice: StoryObj = page({ status: 'failed', failure: 'timeout', failures: 2 });
export const PageSwitchedOff: StoryObj = page({ status: 'failed', failure: 'off', failures: 0 });

const part = (show: (name: PartName) => React.ReactNode): StoryObj =>
  storyIn([show('mining/node-card'), show('tasks/tasks-card')]);

export const PartsLoading: StoryObj = part((name) => <PartSkeleton key={name} name={name} />);
export const PartsFailed: StoryObj = part((name) => (
  <PartFailed key={name} name={name} onRetry={() => undefined} reload={false} />
));
