import { Card, WhyPopover } from '@cord/ui';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { NodeStatus } from './node-status';

const meta = { title: 'Mining/Node status', component: NodeStatus } satisfies Meta<typeof NodeStatus>;
export default meta;
type Story = StoryObj;

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
