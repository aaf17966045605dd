import { LONG_TOAST_MS, useSdk } from '@cord/sdk';
import { ConfirmDialog } from '@cord/ui';
import { useState } from 'react';
import { signOut } from './sign-out';

/** Asks before signing out (spec part 5). */
export function SignOutDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const sdk = useSdk();
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    const failure = await signOut(sdk);
    if (failure === null) return;
    sdk.toasts.show({
      kind: 'warning',
      title: 'Signed out on this page only',
      text: `The server could not be told: ${failure.message}`,
      durationMs: LONG_TOAST_MS,
    });
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Sign out of CORD?"
      description="Your node keeps earning for up to 8 hours. You can stop it first on the Mining tab."
      confirmText="Sign Out"
      busyText="Signing out"
      busy={busy}
      onConfirm={() => void confirm()}
    />
  );
}
