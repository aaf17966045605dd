import { LONG_TOAST_MS, useSdk, useTexts } from '@cord/sdk';
import { ConfirmDialog } from '@cord/ui/overlays';
import { useState } from 'react';
import type { Overlay } from '../app/lazy-overlay';
import { signOut } from './sign-out';
import { SIGN_OUT_TEXTS } from './sign-out-texts';

/** Asks before signing out. */
export function SignOutDialog(overlay: Overlay) {
  const t = useTexts(SIGN_OUT_TEXTS);
  const sdk = useSdk();
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    const failure = await signOut(sdk);
    if (failure === null) return;
    sdk.toasts.show({
      kind: 'warning',
      title: t.signedOutHere,
      text: t.signedOutHereText({ reason: failure.message }),
      durationMs: LONG_TOAST_MS,
    });
  };
  return (
    <ConfirmDialog
      {...overlay}
      title={t.signOutTitle}
      description={t.signOutText}
      confirmText={t.signOut}
      busyText={t.signingOut}
      busy={busy}
      onConfirm={() => void confirm()}
    />
  );
}
