import { LONG_TOAST_MS, useSdk, useTexts, useWrite } from '@cord/sdk';
import { ConfirmDialog } from '@cord/ui/overlays';
import type { Overlay } from '../app/lazy-overlay';
import { signOut } from './sign-out';
import { SIGN_OUT_TEXTS } from './sign-out-texts';

/** The confirmation before signing out. */
export function SignOutDialog(overlay: Overlay) {
  const t = useTexts(SIGN_OUT_TEXTS);
  const sdk = useSdk();
  const leave = useWrite(() => signOut(sdk), {
    key: ['sign-out'],
    toast: {
      done: (failure) =>
        failure && {
          kind: 'warning',
          title: t.signedOutHere,
          text: t.signedOutHereText({ reason: failure.message }),
          durationMs: LONG_TOAST_MS,
        },
    },
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
