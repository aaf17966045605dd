import { Card } from '@cord/ui';
import { Dialog } from '@cord/ui/overlays';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { BalanceCard } from '../dashboard/balance-card';
import s from '../dashboard/dashboard.module.css';
import { storyIn } from '../testing/story-shell';
import { Broken } from './area';
import { MissingStrip } from './missing-overlays';

/* What stands in the place of something that threw, or of a file that did not come. */
const meta = { title: 'Shell/Areas' } satisfies Meta;
export default meta;
type Story = StoryObj<typeof meta>;

const noop = () => undefined;

const cards = (
  <div className={s.main}>
    <Card>
      <Broken compact name="Current epoch" onRetry={noop} reload={false} />
    </Card>
    <BalanceCard />
  </div>
);

export const CardBroken: Story = storyIn(cards);
export const PageBroken: Story = storyIn(<Broken compact={false} name="Dashboard" onRetry={noop} reload={false} />);
export const PageBrokenAgain: Story = storyIn(<Broken compact={false} name="Dashboard" onRetry={noop} reload />);
export const OverlayBroken: Story = storyIn(
  <Dialog open onOpenChange={noop} title="Menu">
    <Broken compact name="Menu" onRetry={noop} reload={false} />
  </Dialog>,
);
export const OverlaysMissing: Story = storyIn(<MissingStrip />);
