import { X } from 'lucide-react';
import { expect, userEvent } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { Gallery, GalleryRow } from '../gallery/gallery';
import { CopyField } from './copy-field';
import { IconButton } from './icon-button';
import { Link, LinkButton } from './link';

export default { title: 'Actions/Others' };

export const IconButtons: StoryObj = {
  render: () => (
    <Gallery>
      <GalleryRow label="24 to 44 px">
        {([24, 32, 40, 44] as const).map((size) => (
          <IconButton key={size} size={size} label={`Close ${size}`} icon={<X />} />
        ))}
      </GalleryRow>
    </Gallery>
  ),
};

export const Links: StoryObj = {
  render: () => (
    <p className="t-body">
      Read <Link href="#terms">the terms</Link>,{' '}
      <Link href="https://discord.com" external>
        open Discord
      </Link>{' '}
      or <LinkButton>go to Settings</LinkButton>.
    </p>
  ),
};

export const CopyCode: StoryObj = {
  render: () => <CopyField label="Your referral code" value="K7M2QX9D" code />,
  play: async ({ canvas }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Copy' }));
    await expect(await canvas.findByRole('button', { name: 'Copied' })).toBeVisible();
    await expect(canvas.getByRole('status')).toHaveTextContent('Your referral code: Copied');
  },
};
export const CopyLink: StoryObj = {
  render: () => (
    <CopyField label="Your link" value="https://cord.example/?ref=K7M2QX9D" look="beside" copyText="Copy Link" />
  ),
};
export const CopyCommandOnAPhone: StoryObj = {
  render: () => (
    <CopyField
      label="Command"
      value="node verify.mjs cord-proof-2026-12-01.json --vkey cord.example/ledger+caf39796"
      command
    />
  ),
  tags: ['w390'],
  play: async ({ canvas, canvasElement }) => {
    const option = canvas.getByText('--vkey');
    for (let width = 390; width > 240; width -= 1) {
      canvasElement.style.width = `${width}px`;
      await expect(option.getClientRects().length).toBe(1);
    }
    canvasElement.style.width = '';
  },
};
