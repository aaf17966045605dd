import { expect } from 'storybook/test';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { Button } from '../actions/button';
import { Gallery, GalleryRow } from '../gallery/gallery';
import { Avatar } from '../identity/avatar';
import { Badge, NodeBadge, WarningBadge } from '../surfaces/badge';
import { CordDial, type CordDialProps } from './cord-dial';
import { DialReading } from './dial-reading';

const ADDS = { base: 0.5, age: 1.25, epoch: 0.175 };
const ALL = { base: 0.5, age: 4.5, epoch: 1.5, badge: 0.325 };

const meta = {
  title: 'Cord/CordDial',
  component: CordDial,
  args: { state: 'running', earned: 419.33, rate: 1.925, adds: ADDS, efficiency: 98, size: 272 },
} satisfies Meta<typeof CordDial>;
export default meta;
type Story = StoryObj<typeof meta>;

const reading = (
  args: CordDialProps,
  number: string,
  state: Parameters<typeof NodeBadge>[0]['state'],
  under = 'CORD',
) => (
  <CordDial {...args}>
    <DialReading size={args.size ?? 272} number={number} under={under} above={<NodeBadge state={state} />} />
  </CordDial>
);

export const Running: Story = {
  args: { size: 430 },
  render: (args) => (
    <CordDial {...args}>
      <DialReading
        size={430}
        number="419.33"
        readerText="419.33 CORD earned in this session"
        under="CORD, session earned"
        above={<NodeBadge state="online" />}
        note="1 CORD every 31 s"
      />
    </CordDial>
  ),
  play: async ({ canvasElement }) => {
    // With reduced motion the hand stands at the decimals of the number: .33 of a turn.
    const ring = canvasElement.querySelector<SVGElement>('[data-ring]');
    await expect(Number.parseFloat(ring?.style.transform.slice('rotate('.length) ?? '')).toBeCloseTo(0.33 * 360, 3);
  },
};

export const Idle: Story = {
  args: { state: 'idle', earned: 0 },
  render: (args) => reading(args, '0.00', 'offline'),
};
export const Starting: Story = {
  args: { state: 'starting', earned: 0 },
  render: (args) => reading(args, '0.00', 'starting'),
};
export const Stopping: Story = {
  args: { state: 'stopping', earned: 419.36 },
  render: (args) => reading(args, '419.36', 'stopping'),
};
export const Paused: Story = {
  args: { state: 'paused', earned: 924 },
  render: (args) => reading(args, '924.00', 'paused'),
};
export const Failed: Story = {
  args: { state: 'error', earned: 419.3 },
  render: (args) => reading(args, '419.30', 'error', 'CORD, last saved'),
};

export const Penalty: Story = {
  name: 'Level 1, ×0.75',
  args: { earned: 38.61, efficiency: 75 },
  render: (args) => (
    <Gallery>
      {reading(args, '38.61', 'online')}
      <WarningBadge>3 accounts on this network</WarningBadge>
    </Gallery>
  ),
};

export const AllFactors: Story = {
  args: { earned: 9999.87, rate: 6.825, adds: ALL, efficiency: 100 },
  render: (args) => reading(args, '9,999.87', 'online'),
};

export const NewAccount: Story = {
  args: { earned: 0.42, rate: 0.5, adds: { base: 0.5 }, efficiency: 100 },
  render: (args) => reading(args, '0.42', 'online'),
};

export const Sizes: Story = {
  render: (args) => (
    <Gallery>
      {[430, 322, 272, 148].map((size) => (
        <GalleryRow key={size} label={`${size} px`}>
          <CordDial {...args} size={size}>
            {size > 200 ? (
              <DialReading size={size} number="12,345.67" under="CORD" above="Session earned" />
            ) : (
              <Avatar name="Mara Okafor" size={64} />
            )}
          </CordDial>
        </GalleryRow>
      ))}
    </Gallery>
  ),
};

export const BiggestNumber: Story = {
  args: { size: 430, earned: 9999999.99 },
  render: (args) => reading(args, '9,999,999.99', 'online', 'CORD, session earned'),
};

export const OnAPhone: Story = {
  tags: ['w390'],
  args: { size: 322 },
  render: (args) => (
    <Gallery>
      {reading(args, '419.33', 'online', 'CORD, session earned')}
      <Badge tone="live">1 CORD every 31 s</Badge>
      <Button variant="primary" block>
        Start Mining
      </Button>
    </Gallery>
  ),
};
