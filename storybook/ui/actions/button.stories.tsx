import { Check, Copy, Trash2 } from 'lucide-react';
import { expect, waitFor } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { Gallery, GalleryRow } from '../gallery/gallery';
import { actionGate } from './action-gate';
import { Button, ButtonLink, type ButtonVariant } from './button';

export default { title: 'Actions/Button', component: Button };

const sizes = ['sm', 'md', 'lg'] as const;

function Variant({ variant, text, busy }: { variant: ButtonVariant; text: string; busy: string }) {
  return (
    <Gallery>
      {sizes.map((size) => (
        <GalleryRow key={size} label={size}>
          <Button variant={variant} size={size}>
            {text}
          </Button>
          <Button variant={variant} size={size} icon={<Check />}>
            {text}
          </Button>
          <Button variant={variant} size={size} disabled disabledReason="Nothing to do yet">
            {text}
          </Button>
          <Button variant={variant} size={size} loading loadingText={busy}>
            {text}
          </Button>
        </GalleryRow>
      ))}
    </Gallery>
  );
}

export const Primary: StoryObj = { render: () => <Variant variant="primary" text="Claim" busy="Claiming" /> };
export const Secondary: StoryObj = { render: () => <Variant variant="secondary" text="Copy" busy="Copying" /> };
export const Danger: StoryObj = { render: () => <Variant variant="danger" text="Delete" busy="Deleting" /> };
export const Outline: StoryObj = { render: () => <Variant variant="outline" text="Delete account" busy="Deleting" /> };
export const Ghost: StoryObj = { render: () => <Variant variant="ghost" text="Cancel" busy="Cancelling" /> };

export const Block: StoryObj = {
  render: () => (
    <Button variant="primary" size="lg" block icon={<Copy />}>
      Start Mining
    </Button>
  ),
};

export const AsLink: StoryObj = {
  render: () => (
    <ButtonLink href="#wallet" external trailingIcon={<Trash2 />}>
      Find a wallet
    </ButtonLink>
  ),
};

export const WaitsForTheServer: StoryObj = {
  render: () => (
    <Button variant="primary" needsServer>
      Start Mining
    </Button>
  ),
  play: async ({ canvas }) => {
    const button = canvas.getByRole('button', { name: 'Start Mining' });
    actionGate.shut('Available when you are back online.');
    await waitFor(() => expect(button).toHaveAttribute('aria-disabled', 'true'));
    await expect(button).toHaveAccessibleDescription('Available when you are back online.');
    actionGate.open();
    await waitFor(() => expect(button).not.toHaveAttribute('aria-disabled'));
  },
};
