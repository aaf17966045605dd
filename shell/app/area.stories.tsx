import { Card } from '@cord/ui';
import { Dialog } from '@cord/ui/overlays';
import type { ReactNode } from 'react';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { BalanceCard } from '../dashboard/balance-card';
import s from '../dashboard/dashboard.module.css';
import { StoryShell } from '../testing/story-shell';
import { Broken } from './area';
import { MissingStrip } from './missing-overlays';

/* What stands in the place of something that threw, or of a file that did not come. */
const meta = { title: 'Shell/Areas' } satisfies Meta;
export default meta;
type Story = StoryObj<typeof meta>;

const noop = () => undefined;
const inShell = (content: ReactNode): Story => ({ render: () => <StoryShell>{content}</StoryShell> });

const cards = (
  <div className={s.main}>
    <Card>
      <Broken compact name="Current epoch" onRetry={noop} reload={false} />
    </Card>
    <BalanceCard />
  </div>
);

export const CardBroken: Story = inShell(cards);
export const CardBrokenOnAPhone: Story = { ...inShell(cards), tags: ['w390'] };
export const PageBroken: Story = inShell(<Broken compact={false} name="Dashboard" onRetry={noop} reload={false} />);
export const PageBrokenAgain: Story = inShell(<Broken compact={false} name="Dashboard" onRetry={noop} reload />);
export const OverlayBroken: Story = inShell(
  <Dialog open onOpenChange={noop} title="Menu">
    <Broken compact name="Menu" onRetry={noop} reload={false} />
  </Dialog>,
);
export const OverlaysMissing: Story = inShell(<MissingStrip />);
export const OverlaysMissingOnAPhone: Story = { ...inShell(<MissingStrip />), tags: ['w390'] };
