import * as userEndpoints from '@cord/contracts/addresses/users';
import {
  ApiError,
  isOutcomeUnknown,
  messageOf,
  useBalance,
  useSdk,
  useSessionValue,
  useTexts,
  useUserId,
  useWrite,
  withNodes,
} from '@cord/sdk';
import { Button, formatCord, SettingRow } from '@cord/ui';
import { ConfirmDialog } from '@cord/ui/overlays';
import { LogOut, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useShell } from '../app/shell-context';
import { endPushesSoon } from '../offline/push-owner';
import { sendEnd } from '../session/ended-elsewhere';
import { leave } from '../session/leaving';
import { Section } from './section';
import { isSignInTooOld, SignInAgainLine } from './sign-in-again';
import { SETTINGS_TEXTS } from './texts';

/** Sign-out and account deletion, both with a confirmation. */
export function AccountActions() {
  const t = useTexts(SETTINGS_TEXTS);
  const { signingOut } = useShell();
  const [deleting, setDeleting] = useState(false);
  return (
    <Section title={t.actions} text={t.actionsText}>
      <SettingRow title={t.signOutTitle} help={t.signOutHelp}>
        <Button icon={<LogOut />} onClick={() => signingOut.set(true)}>
          {t.signOut}
        </Button>
      </SettingRow>
      <SettingRow title={t.delete} help={t.deleteHelp}>
        <Button needsServer variant="outline" icon={<Trash2 />} onClick={() => setDeleting(true)}>
          {t.delete}
        </Button>
      </SettingRow>
      <DeleteDialog open={deleting} onOpenChange={setDeleting} />
    </Section>
  );
}

/** Shows what is deleted, what stays, and that one-time rewards are not repeated. */
function DeleteDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const t = useTexts(SETTINGS_TEXTS);
  const name = useSessionValue(({ user }) => user?.username);
  const { micro } = useBalance();
  const remove = useRemoval();
  if (name === undefined) return null;
  const failed = (error: Error) => (isSignInTooOld(error) ? <SignInAgainLine /> : messageOf(error, t.tryAgain));
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      danger
      title={t.deleteTitle}
      description={t.deleteText}
      consequences={[
        withNodes(t.balanceGone, { amount: <strong>{t.amount({ amount: formatCord(micro) })}</strong> }),
        t.entriesStay,
        t.markStays,
      ]}
      typed={name}
      confirmText={t.delete}
      busyText={t.deleting}
      busy={remove.isPending}
      error={remove.error && failed(remove.error)}
      onConfirm={() => remove.press(name)}
    />
  );
}

/** Deletes the account and signs out. If the response is lost, the session has ended; a retry that finds it ended counts as success. */
function useRemoval() {
  const sdk = useSdk();
  const { session } = sdk;
  const { ended, tabs } = useShell();
  const id = useUserId() ?? '';
  /** User whose deletion has an unknown outcome. */
  const doubtful = useRef<string | null>(null);
  const gone = async (userId: string) => {
    await endPushesSoon();
    sendEnd(sdk, userId, 'erased');
    session.signOut();
    ended.set('erased');
    tabs.fallBack();
  };
  return useWrite(
    (api, typed: string) =>
      leave(sdk, async () => {
        try {
          await api.call(userEndpoints.remove, { params: { id }, body: { confirm: typed } });
        } catch (error) {
          if (doubtful.current === null || !isGone(error)) {
            if (isOutcomeUnknown(error)) doubtful.current = id;
            else if (!isRetryable(error)) doubtful.current = null;
            throw error;
          }
        }
        await gone(id);
      }),
    {
      key: ['user', 'remove', id],
      // Another call may find the session ended before this one is retried.
      onFailed: () => {
        const userId = doubtful.current;
        if (userId !== null && session.state.get().status === 'signed-out') void leave(sdk, () => gone(userId));
      },
    },
  );
}

const isGone = (error: unknown) => error instanceof ApiError && (error.status === 401 || error.status === 404);
const isRetryable = (error: unknown) => error instanceof ApiError && error.retryable;
