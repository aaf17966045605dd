import * as userEndpoints from '@cord/contracts/addresses/users';
import type { ResponseOf } from '@cord/contracts/calls';
import { messageOf, SHORT_TOAST_MS, useQueryClient, useSdk, useSettings, useTexts, useUserId } from '@cord/sdk';
import { askForNotifications, settingsKey } from '@cord/sdk/host';
import { Skeleton, Switch, TabErrorPanel } from '@cord/ui';
import { useMutation } from '@tanstack/react-query';
import { Section } from './section';
import { SETTINGS_TEXTS } from './texts';

/** Saves under this key are told at the top of the page. */
export const SAVING = ['save-settings'] as const;

type Toggles = ResponseOf<typeof userEndpoints.getSettings>;

/** Auto-start and notifications, saved on the server (decisions, Toggles). */
export function MiningConfiguration() {
  const t = useTexts(SETTINGS_TEXTS);
  const saved = useSettings();
  const save = useSave(useUserId() ?? '');
  return (
    <Section title={t.mining} text={t.miningText}>
      {saved.isError ? (
        <TabErrorPanel
          compact
          title={t.togglesFailed}
          retrying={saved.isFetching}
          onRetry={() => void saved.refetch()}
        />
      ) : saved.data === undefined ? (
        <Skeleton height={96} />
      ) : (
        <>
          <Switch
            label={t.autoStart}
            help={t.autoStartHelp}
            needsServer
            checked={saved.data.autoStart}
            onChange={(autoStart) => save.mutate({ autoStart })}
            testId="auto-start"
          />
          <Switch
            label={t.notifications}
            help={t.notificationsHelp}
            needsServer
            checked={saved.data.notifications}
            onChange={(notifications) => {
              if (notifications) askForNotifications();
              save.mutate({ notifications });
            }}
            testId="notifications"
          />
        </>
      )}
    </Section>
  );
}

/**
 * Shows the new value at once and takes it back if the server refuses it. Saves go one after another, and each touches only
 * the fields it is about: two quick presses neither flicker nor undo each other.
 */
function useSave(userId: string) {
  const key = settingsKey(userId);
  const { toasts, writes, cache } = useSdk();
  const queries = useQueryClient();
  const isLast = () => queries.isMutating({ mutationKey: SAVING }) === 1;
  return useMutation({
    mutationKey: SAVING,
    scope: { id: SAVING[0] },
    mutationFn: (change: Partial<Toggles>) =>
      writes.send({
        name: [...SAVING, userId],
        input: change,
        send: (api) => api.call(userEndpoints.putSettings, { params: { id: userId }, body: change }),
      }),
    onMutate: async (change) => {
      // An answer that is still under way is older than the press.
      await queries.cancelQueries({ queryKey: key });
      const before = queries.getQueryData<Toggles>(key);
      const fields = Object.keys(change) as (keyof Toggles)[];
      queries.setQueryData<Toggles>(key, (toggles) => toggles && { ...toggles, ...change });
      return { before: before && Object.fromEntries(fields.map((field) => [field, before[field]])) };
    },
    onSuccess: (toggles) => {
      if (!isLast()) return;
      cache.put(key, toggles);
    },
    onError: (error, _change, context) => {
      queries.setQueryData<Toggles>(key, (toggles) => toggles && { ...toggles, ...context?.before });
      toasts.show({
        kind: 'error',
        title: SETTINGS_TEXTS.get().notSaved,
        text: messageOf(error, SETTINGS_TEXTS.get().notSavedText),
        durationMs: SHORT_TOAST_MS,
      });
      if (isLast()) cache.outdate([key]);
    },
  });
}
