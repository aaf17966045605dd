import { ShieldCheck } from 'lucide-react';
import { expect } from 'storybook/test';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { Gallery } from '../gallery/gallery';
import { WhyPopover } from '../triggers/why-popover';
import { Cell, Cells, StatusDot } from './cells';

const meta = { title: 'Surfaces/Cells', component: Cells, args: { children: null } } satisfies Meta<typeof Cells>;
export default meta;
type Story = StoryObj<typeof meta>;

export const QuickStats: Story = {
  render: () => (
    <Cells columns={4}>
      <Cell label="Mining rate" value="1.925000" hint="CORD per minute" size="lg" />
      <Cell
        label="Multiplier"
        value="×3.5"
        hint="from account age"
        size="lg"
        info={<WhyPopover about="Multiplier">Your account is 5.4 years old.</WhyPopover>}
      />
      <Cell label="Account age" value="5.4 years" hint="×5 in 0.6 years" size="lg" />
      <Cell label="Badge status" value="None" hint="Honor adds 5%" size="lg" />
    </Cells>
  ),
};

export const NodeCells: Story = {
  render: () => (
    <Cells columns={3} phoneColumns={1}>
      <Cell label="Node status" value="Running" mark={<StatusDot />} hint="since 07:21" size="lg" />
      <Cell label="Total uptime" value="391:08:44" hint="since 3 Oct 2026" size="lg" />
      <Cell
        label="Security level"
        value="Clean"
        mark={<ShieldCheck size={20} />}
        hint="1 account on this network"
        size="lg"
      />
    </Cells>
  ),
};

export const Stress: Story = {
  name: 'Big, zero, unknown, loading',
  render: () => (
    <Gallery>
      <Cells columns={2}>
        <Cell label="Balance" value="9,999,999.99" size="xl" />
        <Cell label="Total mined" value="12,847.3K" size="xl" />
      </Cells>
      <Cells columns={3} phoneColumns={3}>
        <Cell label="New account" value="0.00" />
        <Cell label="Not known" value="–" />
        <Cell label="Loading" value={undefined} />
      </Cells>
    </Gallery>
  ),
};
export const StressAt320: Story = { ...Stress, name: 'Big, zero, unknown, loading at 320', tags: ['w320'] };

/** Two columns of a narrow phone: one label takes two lines, its neighbour one. */
export const LabelsOfTwoLinesAt320: Story = {
  tags: ['w320'],
  render: () => (
    <Cells columns={2}>
      <Cell
        label="Average a day without claims"
        value="1,195.38"
        info={<WhyPopover about="Average">Claims are left out.</WhyPopover>}
        hint="30 days"
      />
      <Cell label="Best day" value="5,000.00" />
      <Cell label="Streak" value="18" unit="days" />
      <Cell
        label="Commission since you joined"
        value="12,847.30"
        info={<WhyPopover about="Commission">10% of what friends earn.</WhyPopover>}
      />
    </Cells>
  ),
  play: async ({ canvas }) => {
    const topOf = (text: string) => canvas.getByText(text).closest('dd')?.getBoundingClientRect().top;
    await expect(topOf('5,000.00')).toBe(topOf('1,195.38'));
    await expect(topOf('18')).toBe(topOf('12,847.30'));
  },
};
