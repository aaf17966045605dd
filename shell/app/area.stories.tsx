import { Card } from '@cord/ui';
import { Dialog } from '@cord/ui/overlays';
import type { StoryObj } from 'storybook-react-rsbuild';
import { BalanceCard } from '../dashboard/balance-card';
import s from '../dashboard/dashboard.module.css';
import { storyIn } from '../testing/story-shell';
import { Broken } from './area';
import { MissingStrip } from './missing-overlays';

/* Placeholders of areas that threw, and of files that did not load. */
export default { title: 'Shell/Areas' };

const noop = () => undefined;

const cards = (
  <div className={s.main}>
    <Card>
      <Broken compact name="Current epoch" onRetry={noop} reload={false} />
    </Card>
    <BalanceCard />
  </div>
);

export const CardBroken: StoryObj = storyIn(cards);
export const PageBroken: StoryObj = storyIn(<Broken compact={false} name="Dashboard" onRetry={noop} reload={false} />);
export const PageBrokenAgain: StoryObj = storyIn(<Broken compact={false} name="Dashboard" onRetry={noop} reload />);
export const OverlayBroken: StoryObj = storyIn(
  <Dialog open onOpenChange={noop} title="Menu">
    <Broken compact name="Menu" onRetry={noop} reload={false} />
  </Dialog>,
);
export const OverlaysMissing: StoryObj = storyIn(<MissingStrip />);
