import { createStore } from '@cord/sdk';
import type { PartName } from '@cord/sdk/host';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { PartFailed } from '../parts/part-failed';
import { PartSkeleton } from '../parts/part-skeleton';
import { StoryShell } from '../testing/story-shell';
import type { AreaState } from './module-app';
import { ModuleArea } from './module-area';

const meta = { title: 'Shell/Modules' } satisfies Meta;
export default meta;
type Story = StoryObj<typeof meta>;

function area(state: AreaState): Story {
  const app = { state: createStore(state), attach: () => undefined, retry: () => undefined };
  return {
    render: () => (
      <StoryShell>
        <ModuleArea name="Rankings" app={app} />
      </StoryShell>
    ),
  };
}

export const PageLoading: Story = area({ status: 'loading' });
export const PageFailed: Story = area({ status: 'failed', failure: 'manifest', failures: 1 });
export const PageFailedTwice: Story = area({ status: 'failed', failure: 'timeout', failures: 2 });
export const PageSwitchedOff: Story = area({ status: 'failed', failure: 'off', failures: 0 });

const part = (show: (name: PartName) => React.ReactNode): Story => ({
  render: () => (
    <StoryShell>
      {show('mining/node-card')}
      {show('tasks/tasks-card')}
    </StoryShell>
  ),
});

export const PartsLoading: Story = part((name) => <PartSkeleton key={name} name={name} />);
export const PartsFailed: Story = part((name) => (
  <PartFailed key={name} name={name} again={false} retry={() => undefined} />
));
