import { Search } from 'lucide-react';
import { useState } from 'react';
import { expect, userEvent } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { Gallery } from '../gallery/gallery';
import { Card } from '../surfaces/card';
import { Input } from './input';
import { Switch } from './switch';
import { TextArea } from './text-area';

export default { title: 'Forms/All' };

export const Inputs: StoryObj = {
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
        icon={<Search size={18} />}
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

export const Switches: StoryObj = {
  render: () => <Toggles />,
  play: async ({ canvas }) => {
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
