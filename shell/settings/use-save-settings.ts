import * as userEndpoints from '@cord/contracts/addresses/users';
import type { BodyInputOf, ResponseOf } from '@cord/contracts/calls';
import { useQueryClient, useSdk, useWrite } from '@cord/sdk';
import { settingsKey } from '@cord/sdk/host';
import { notSavedToast } from './toast-failure';

/** Mutation key prefix of saves that the page's header shows. */
export const SAVING = ['save-settings'] as const;

type Toggles = ResponseOf<typeof userEndpoints.getSettings>;
type Change = BodyInputOf<typeof userEndpoints.putSettings>;

/**
 * Shows a new value at once and reverts it on refusal. Saves run one after another, and each changes only its own
 * fields, so that quick presses neither flicker nor undo each other.
 */
export function useSaveSettings(userId: string) {
  const settings = settingsKey(userId);
  /** Query key of the last known server state while saves are pending. */
  const stored = [...SAVING, userId, 'stored'];
  const key = [...SAVING, userId];
  const { cache } = useSdk();
  const queries = useQueryClient();
  const isLast = () => queries.isMutating({ mutationKey: key, exact: true }) === 1;
  /** Shows the server state with all pending changes except a refused one. */
  const showWithout = (refused: Change) => {
    const saves = queries.getMutationCache().findAll({ mutationKey: key, exact: true, status: 'pending' });
    const changes = saves.map(({ state }) => state.variables as Change).filter((change) => change !== refused);
    queries.setQueryData(
      settings,
      (shown?: Toggles) => shown && changes.reduce(withChange, queries.getQueryData<Toggles>(stored) ?? shown),
    );
  };
  return useWrite(
    (api, change: Change) => api.call(userEndpoints.putSettings, { params: { id: userId }, body: change }),
    {
      key,
      queue: true,
      onPress: async (change) => {
        // A response in progress is older than the press.
        await queries.cancelQueries({ queryKey: settings });
        queries.setQueryData<Toggles>(stored, (known) => known ?? queries.getQueryData(settings));
        queries.setQueryData<Toggles>(settings, (toggles) => toggles && withChange(toggles, change));
        return () => showWithout(change);
      },
      onDone: (toggles) => {
        queries.setQueryData(stored, toggles);
        if (!isLast()) return;
        queries.removeQueries({ queryKey: stored });
        cache.setData(settings, toggles);
      },
      onFailed: () => {
        if (!isLast()) return;
        queries.removeQueries({ queryKey: stored });
        cache.invalidate([settings]);
      },
      toast: { failed: notSavedToast },
    },
  );
}

/** Applies a change as the server does: only the named kinds of notices change. */
function withChange(toggles: Toggles, { notices, ...change }: Change): Toggles {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return { ...toggles, ...given, ...(notices ? { notices: { ...toggles.notices, ...(notices as object) } } : {}) };
}
