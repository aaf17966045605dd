import { Check } from 'lucide-react';
import type { StoryObj } from 'storybook-react-rsbuild';
import { formatCord } from '../format';
import { Badge, WaitingBadge } from './badge';
import { Card } from './card';
import { type Column, Table } from './table';

interface Friend {
  name: string;
  joined: string;
  paid: boolean;
  they: number;
  you: number;
}

const friends: Friend[] = [
  { name: 'moss_and_tin', joined: '3 Oct 2026', paid: true, they: 3268, you: 412.8 },
  { name: 'Zoë Lindqvist', joined: '12 Oct 2026', paid: true, they: 782, you: 164.2 },
  { name: 'kestrel.io', joined: '20 Nov 2026', paid: false, they: 23.1, you: 2.31 },
];

const columns: Column<Friend>[] = [
  { key: 'friend', head: 'Friend', cell: (row) => row.name, names: true },
  { key: 'joined', head: 'Joined', cell: (row) => row.joined, from: 768 },
  {
    key: 'bonus',
    head: 'Bonus',
    from: 768,
    cell: (row) =>
      row.paid ? (
        <Badge tone="live" icon={<Check size={16} />}>
          86 CORD paid
        </Badge>
      ) : (
        <WaitingBadge>6 of 10 min</WaitingBadge>
      ),
  },
  { key: 'they', head: 'They earned', cell: (row) => formatCord(row.they), align: 'right', from: 1024 },
  { key: 'you', head: 'You earned', cell: (row) => formatCord(row.you, { signed: true }), align: 'right' },
];

export default { title: 'Surfaces/Table' };

export const Friends: StoryObj = {
  render: () => (
    <Card title="Referral history" aside="3 friends" padding="none">
      <Table caption="Referral history" columns={columns} rows={friends} rowKey={(row) => row.name} />
    </Card>
  ),
};
