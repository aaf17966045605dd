import { useSdk, useTexts, useWrite } from '@cord/sdk';
import { ConfirmDialog } from '@cord/ui/overlays';
import type { Overlay } from '../app/lazy-overlay';
import { useShell } from '../app/shell-context';
import { signOut } from './sign-out';
import { SIGN_OUT_TEXTS } from './sign-out-texts';

/** The sign-out confirmation. */
export function SignOutDialog(overlay: Overlay) {
  const t = useTexts(SIGN_OUT_TEXTS);
  const sdk = useSdk();
  const { ended } = useShell();
  const leave = useWrite(() => signOut(sdk), {
    key: ['sign-out'],
    // The toasts unmount with the app, so the landing page shows the failure.
    onDone: (failure) => failure && ended.set({ unconfirmed: failure.message }),
  });
  return (
    <ConfirmDialog
      {...overlay}
      title={t.signOutTitle}
      description={t.signOutText}
      confirmText={t.signOut}
      busyText={t.signingOut}
      busy={leave.isPending}
      onConfirm={() => leave.press(null)}
    />
  );
}
