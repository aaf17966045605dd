import { userEndpoints } from '@cord/contracts/http/users';
import { messageOf, useBalance, useMutation, useSdk, useSession } from '@cord/sdk';
import { Button, ConfirmDialog, formatCord } from '@cord/ui';
import { LogOut, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Row, Section } from './section';

/** Sign out and delete account; both ask (spec part 5). */
export function AccountActions({ onSignOut }: { onSignOut: () => void }) {
  const [deleting, setDeleting] = useState(false);
  return (
    <Section title="Account actions" text="Both ask you to confirm.">
      <Row title="Sign out" help="Your node keeps running for up to 8 hours.">
        <Button icon={<LogOut aria-hidden="true" />} onClick={onSignOut}>
          Sign Out
        </Button>
      </Row>
      <Row title="Delete account" help="Erases your profile and balance. This cannot be undone.">
        <Button needsServer variant="outline" icon={<Trash2 aria-hidden="true" />} onClick={() => setDeleting(true)}>
          Delete account
        </Button>
      </Row>
      <DeleteDialog open={deleting} onOpenChange={setDeleting} />
    </Section>
  );
}

/** Says what goes, what stays, and that one-time rewards do not come again (decisions, Delete account). */
function DeleteDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const { api, session, queries } = useSdk();
  const { user } = useSession();
  const { micro } = useBalance();
  const remove = useMutation({
    mutationFn: (name: string) =>
      api.call(userEndpoints.remove, { params: { id: user?.id ?? '' }, body: { confirm: name } }),
    onSuccess: () => {
      session.signOut();
      queries.clear();
    },
  });
  if (user === null) return null;
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      danger
      title="Delete this account?"
      description="This erases your profile, sessions, Discord data and wallet address. It cannot be undone."
      consequences={[
        <>
          Your balance of <strong>{formatCord(micro)} CORD</strong> is gone.
        </>,
        'Past entries stay in the ledger under a random id.',
        'A one-way mark stays, so one-time rewards cannot be claimed again.',
      ]}
      typed={user.username}
      confirmText="Delete account"
      busyText="Deleting"
      busy={remove.isPending}
      error={remove.error ? messageOf(remove.error, 'Please try again') : null}
      onConfirm={() => remove.mutate(user.username)}
    />
  );
}
