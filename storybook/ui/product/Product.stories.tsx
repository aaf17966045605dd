// biome-ignore-all lint/a11y/useSemanticElements: rankings are virtualised, so their rows are divs with roles
import { Clock, ExternalLink, Lock } from 'lucide-react';
import { expect, within } from 'storybook/test';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { Button } from '../actions/Button';
import { IconButton } from '../actions/IconButton';
import { Gallery, GalleryRow } from '../gallery/Gallery';
import { WhyPopover } from '../overlays/WhyPopover';
import { Card } from '../surfaces/Card';
import { Amount } from './Amount';
import { NodeStatus } from './NodeStatus';
import { type Miner, Podium } from './Podium';
import { type RankedMiner, RankRow, RankTable, StickyRow } from './RankRow';
import { TaskCard, TaskHint } from './TaskCard';

const meta = { title: 'Product/All' } satisfies Meta;
export default meta;
type Story = StoryObj<typeof meta>;

export const Amounts: Story = {
  render: () => (
    <Gallery>
      <GalleryRow label="Balance">
        <Amount value={48213.57} unit="CORD" size="n44" testId="balance" />
      </GalleryRow>
      <GalleryRow label="Rate">
        <Amount value={1.925} kind="rate" unit="CORD/min" size="n32" spoken="1.925 CORD per minute" />
      </GalleryRow>
      <GalleryRow label="Micro-CORD, truncated">
        <Amount value={9_999_999_999_999n} unit="CORD" size="n32" />
      </GalleryRow>
      <GalleryRow label="Change, thousands, unknown, zero">
        <Amount value={122.5} signed size="n24" />
        <Amount value={7_912_499} kind="k" size="n24" />
        <Amount value={null} size="n24" />
        <Amount value={0} size="n24" />
      </GalleryRow>
      <GalleryRow label="Hero">
        <Amount value={419.33} size="n64" />
      </GalleryRow>
    </Gallery>
  ),
  play: async ({ canvasElement }) => {
    const canvas = within(canvasElement);
    await expect(canvas.getByTestId('balance')).toHaveAttribute('data-value', '48213.57');
    await expect(canvas.getByText('9,999,999.99')).toBeVisible();
  },
};

const status = (look: 'page' | 'card', efficiency: number | null = 98) => (
  <Card>
    <NodeStatus
      look={look}
      rate={1.925}
      uptimeMs={13_337_000}
      hashRate={184.2}
      efficiency={efficiency}
      labels={{ rate: 'Current rate', uptime: 'Uptime', efficiency: 'Efficiency', hashRate: 'Hash rate, simulated' }}
      whyRate={<WhyPopover about="Current rate">Base rate times your factors.</WhyPopover>}
      whyEfficiency={<WhyPopover about="Efficiency">Credited over possible seconds.</WhyPopover>}
      whyHashRate={<WhyPopover about="Hash rate">Simulated.</WhyPopover>}
      efficiencyHint={look === 'page' ? '4 min 27 s of this session could not be credited.' : undefined}
    />
  </Card>
);
export const NodeOnMining: Story = { render: () => status('page') };
export const NodeOnDashboard: Story = { render: () => status('card'), tags: ['w390'] };
export const NodeUnknown: Story = { render: () => status('card', null) };

const miner = (rank: number, name: string, earned: number, extra: Partial<RankedMiner> = {}): RankedMiner => ({
  key: name,
  name,
  rank,
  earned,
  accountAge: 5.4,
  multiplier: 5,
  ...extra,
});
const first: Miner[] = [
  miner(1, 'halvard', 312480.12, { honor: true, mining: true }),
  miner(2, 'Priya N.', 287914.4, { mining: true }),
  miner(3, 'old_lantern', 261003.77, { honor: true }),
];
const podium = () => (
  <Card padding="none">
    <Podium miners={first} />
  </Card>
);
export const FirstThree: Story = {
  render: podium,
  play: async ({ canvasElement }) => {
    // Read in the order 1 2 3, seen as 2 1 3.
    const places = within(canvasElement).getAllByRole('listitem');
    await expect(places[0]).toHaveTextContent('halvard');
    const left = (index: number) => places[index]?.getBoundingClientRect().left ?? 0;
    await expect(left(1)).toBeLessThan(left(0));
    await expect(left(0)).toBeLessThan(left(2));
  },
};
export const FirstThreeOnAPhone: Story = { render: podium, tags: ['w390'] };
export const FirstThreeAt320: Story = { render: podium, tags: ['w320'] };

const ranking = () => (
  <Card padding="none">
    <RankTable
      label="Ranking"
      foot={
        <StickyRow>
          <RankRow
            miner={miner(37, 'Mara Okafor', 48213.57, { you: true, mining: true, gap: '1,204.08 CORD behind #36' })}
          />
        </StickyRow>
      }
    >
      <RankRow miner={miner(4, 'dusk_harbor', 248119.05, { mining: true })} />
      <RankRow miner={miner(5, 'tomasz.w', 199870.33, { mining: true, honor: true })} />
      <RankRow miner={miner(6, 'the_very_long_discord_name_of_32', 187402.9)} />
      <RankRow miner={miner(10234, 'Zoë Lindqvist', 0, { accountAge: null, multiplier: null })} />
    </RankTable>
  </Card>
);
export const Ranking: Story = { render: ranking };
export const RankingOnAPhone: Story = { render: ranking, tags: ['w390'] };
export const RankingAt320: Story = { render: ranking, tags: ['w320'] };

const cards = () => (
  <Gallery>
    <TaskCard
      title="Mine for 1 hour"
      description="Keep your node running for 60 minutes today."
      category="daily"
      reward={122.5}
      percent={100}
      progressText="01:00:00 of 01:00:00"
      state="claimable"
      action={
        <Button variant="primary" block>
          Claim 122.50 CORD
        </Button>
      }
    />
    <TaskCard
      title="Mine 1,000 CORD this week"
      description="Counts from Monday 00:00 UTC."
      category="weekly"
      reward={700}
      percent={64}
      progressText="640.12 of 1,000.00"
      state="open"
      action={<TaskHint icon={<Clock aria-hidden="true" />}>Resets in 1 d 12 h</TaskHint>}
    />
    <TaskCard
      title="Follow CORD on X"
      description="Visited at 11:02. You can claim it now."
      category="social"
      reward={175}
      percent={100}
      progressText="Visited"
      state="claimable"
      action={
        <>
          <Button variant="primary" block>
            Claim 175.00 CORD
          </Button>
          <IconButton look="edged" label="Visit again" icon={<ExternalLink />} />
        </>
      }
    />
    <TaskCard
      title="Join the CORD server"
      description="Say hello in the miners' channel."
      category="social"
      reward={280}
      percent={0}
      progressText="Not visited yet"
      state="open"
      action={
        <Button block trailingIcon={<ExternalLink aria-hidden="true" />}>
          Visit
        </Button>
      }
    />
    <TaskCard
      title="Social media master"
      description="Complete all social tasks."
      category="achievement"
      reward={1750}
      percent={33}
      progressText="1 of 3"
      state="open"
      action={<TaskHint icon={<Lock aria-hidden="true" />}>2 social tasks to go</TaskHint>}
    />
    <TaskCard
      title="Early adopter"
      description="Your Discord account is 5 years old or more."
      category="achievement"
      reward={2625}
      percent={100}
      progressText="5.4 of 5 years"
      state="completed"
      completedOn="3 Oct"
    />
  </Gallery>
);
export const TaskCards: Story = { render: cards };
export const TaskCardsOnAPhone: Story = { render: cards, tags: ['w390'] };
