import { Card, WhyPopover } from '@cord/ui';
import type { StoryObj } from 'storybook-react-rsbuild';
import { NodeStatus } from './node-status';

export default { title: 'Mining/Node status', component: NodeStatus };

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
export const NodeOnMining: StoryObj = { render: () => status('page') };
export const NodeOnDashboard: StoryObj = { render: () => status('card'), tags: ['w390'] };
export const NodeUnknown: StoryObj = { render: () => status('card', null) };
