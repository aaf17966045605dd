import { expect, within } from 'storybook/test';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { CheckinCord, type Knot } from './checkin-cord';

const meta = { title: 'Tasks/Check-in cord', component: CheckinCord } satisfies Meta<typeof CheckinCord>;
export default meta;
type Story = StoryObj<typeof meta>;

const week: Knot[] = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri'].map((label, i) => ({
  key: label,
  label,
  note: `+${85 + 5 * i}`,
  state: 'done',
}));
const today: Knot = { key: 'Sat', label: 'Today', note: '+115', state: 'today', isToday: true };

export const TwelveDays: Story = { args: { knots: [...week, today] } };

export const Claimed: Story = { args: { knots: [...week, { ...today, state: 'done' }] } };

export const Missed: Story = {
  args: {
    knots: [
      { key: 'Wed', label: 'Wed', note: '+100', state: 'done' },
      { key: 'Thu', label: 'Thu', note: 'Missed', state: 'missed' },
      { key: 'Fri', label: 'Fri', note: '+55', state: 'done' },
      { key: 'Sat', label: 'Today', note: '+60', state: 'today' },
      { key: 'Sun', label: 'Sun', note: '+65', state: 'next' },
    ],
  },
  play: async ({ canvasElement }) => {
    const days = within(canvasElement).getAllByRole('listitem');
    await expect(days[1]).toHaveTextContent('Thu');
    await expect(days[1]).toHaveTextContent('missed');
  },
};

export const NewAccount: Story = {
  args: {
    knots: [
      { key: '0', label: 'Today', note: '+55', state: 'today' },
      ...['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri'].map(
        (label, i): Knot => ({ key: label, label, note: `+${60 + 5 * i}`, state: 'next' }),
      ),
    ],
  },
};

export const OnAPhone: Story = { tags: ['w320'], args: { knots: [...week, today] } };
