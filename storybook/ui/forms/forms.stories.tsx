import { Search } from 'lucide-react';
import { useState } from 'react';
import { expect, userEvent, within } from 'storybook/test';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { Gallery } from '../gallery/gallery';
import { Card } from '../surfaces/card';
import { Input } from './input';
import { Switch } from './switch';
import { TextArea } from './text-area';

const meta = { title: 'Forms/All' } satisfies Meta;
export default meta;
type Story = StoryObj<typeof meta>;

export const Inputs: Story = {
  render: () => (
    <Gallery>
      <Input label="Someone else's code" placeholder="6 or 8 letters and digits" help="Only once, for life." code />
      <Input
        label="Someone else's code, refused"
        defaultValue="K7M2QX9D"
        error="You cannot refer yourself. Please use a different referral code."
        code
      />
      <Input
        label="Someone else's code, already set"
        value="OLDLAN7E"
        locked="Invited by old_lantern on 3 Oct 2026."
        code
      />
      <Input
        label="Search miners"
        labelHidden
        type="search"
        icon={<Search size={18} aria-hidden="true" />}
        placeholder="Search by username"
      />
      <TextArea label="What happened?" help="We answer badge holders first." />
      <TextArea label="What happened?" defaultValue="No" error="Write at least 10 characters." />
    </Gallery>
  ),
};

function Toggles() {
  const [autoStart, setAutoStart] = useState(true);
  const [notify, setNotify] = useState(false);
  return (
    <Card>
      <Gallery>
        <Switch
          label="Auto-start"
          help="Start the node when you sign in."
          checked={autoStart}
          onChange={setAutoStart}
        />
        <Switch
          label="Notifications"
          help="Tell me when the node pauses or a check-in is due."
          checked={notify}
          onChange={setNotify}
        />
        <Switch label="On" checked onChange={() => undefined} />
        <Switch label="Off, locked" checked={false} onChange={() => undefined} disabled />
      </Gallery>
    </Card>
  );
}

export const Switches: Story = {
  render: () => <Toggles />,
  play: async ({ canvasElement }) => {
    const canvas = within(canvasElement);
    const notify = canvas.getByRole('switch', { name: 'Notifications' });
    await userEvent.click(notify);
    await expect(notify).toBeChecked();
    await userEvent.keyboard(' ');
    await expect(notify).not.toBeChecked();
    const locked = canvas.getByRole('switch', { name: 'Off, locked' });
    await userEvent.click(locked);
    await expect(locked).not.toBeChecked();
  },
};
