import { ExternalLink, RotateCw } from 'lucide-react';
import { useRef, useState } from 'react';
import { expect, fn, screen, userEvent } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { Button } from '../actions/button';
import { CordDial } from '../cord/cord-dial';
import { Spinner } from '../feedback/spinner';
import { Avatar } from '../identity/avatar';
import { Badge } from '../surfaces/badge';
import { ConfirmDialog } from './confirm-dialog';
import { Dialog } from './dialog';
import { QrCode } from './qr-code';

export default { title: 'Overlays/Dialog' };

const close = fn();

function TryAgain() {
  const again = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open
      onOpenChange={close}
      title="Connect Discord"
      description="Sign in to start earning"
      width={600}
      initialFocus={again}
      footer={
        <>
          <Button icon={<ExternalLink />}>Open manually</Button>
          <Button ref={again} variant="primary" icon={<RotateCw />}>
            Try again
          </Button>
        </>
      }
    >
      <p>We read your Discord name, avatar and account date. No messages, no servers, no password.</p>
    </Dialog>
  );
}

export const FocusOnTheNextStep: StoryObj = {
  render: () => <TryAgain />,
  play: async () => {
    close.mockClear();
    await expect(await screen.findByRole('dialog', { name: 'Connect Discord' })).toHaveAccessibleDescription(
      'Sign in to start earning',
    );
    await expect(screen.getByRole('button', { name: 'Try again' })).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect(close).toHaveBeenCalledWith(false);
  },
};
export const AsASheet: StoryObj = { render: () => <TryAgain />, tags: ['w390'] };

export const Welcome: StoryObj = {
  render: () => (
    <Dialog
      open
      onOpenChange={close}
      title="Welcome, Mara Okafor"
      titleHidden
      lead={<Badge tone="accent">New miner</Badge>}
      width={400}
      footer={
        <Button variant="primary" size="lg" block>
          Start Mining
        </Button>
      }
    >
      <CordDial state="starting" earned={0} rate={1.9} adds={{ base: 5, age: 13, epoch: 2 }} size={148}>
        <Avatar name="Mara Okafor" size={64} />
      </CordDial>
    </Dialog>
  ),
};

export const Qr: StoryObj = {
  render: () => (
    <Dialog
      open
      onOpenChange={close}
      title="Remote Mobile Wallet Adapter"
      description="Open your wallet and scan the code."
      width={430}
    >
      <QrCode label="Wallet link" value="solana-wallet:/v1/associate/remote?association=abc" />
      <p role="status">
        <Spinner /> Waiting for scan
      </p>
    </Dialog>
  ),
};

function SignOut() {
  const [open, setOpen] = useState(true);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Sign Out…</Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title="Sign out of CORD?"
        description="Your node keeps earning for up to 8 hours. You can stop it first on the Mining tab."
        confirmText="Sign Out"
        onConfirm={() => setOpen(false)}
      />
    </>
  );
}

export const ConfirmSignOut: StoryObj = { render: () => <SignOut /> };

const deletion = (extra: Partial<Parameters<typeof ConfirmDialog>[0]> = {}) => (
  <ConfirmDialog
    open
    onOpenChange={close}
    title="Delete this account?"
    description="This erases your profile, sessions, Discord data and wallet address. It cannot be undone."
    consequences={[
      <>
        Your balance of <strong>48,213.57 CORD</strong> is gone.
      </>,
      'Past entries stay in the ledger under a random id.',
      'A one-way mark stays, so one-time rewards cannot be claimed again.',
    ]}
    typed="mara.okafor"
    confirmText="Delete account"
    busyText="Deleting"
    danger
    onConfirm={() => undefined}
    {...extra}
  />
);

export const ConfirmDelete: StoryObj = { render: () => deletion() };
export const DeleteFailed: StoryObj = { render: () => deletion({ error: 'Network error. Please try again.' }) };
export const Deleting: StoryObj = { render: () => deletion({ busy: true }), tags: ['w390'] };
