import * as userEndpoints from '@cord/contracts/addresses/users';
import type { BodyInputOf, ResponseOf } from '@cord/contracts/calls';
import { useQueryClient, useSdk, useWrite } from '@cord/sdk';
import { settingsKey } from '@cord/sdk/host';
import { notSavedToast } from './toast-failure';

/** Saves under this key are shown at the top of the page. */
export const SAVING = ['save-settings'] as const;

type Toggles = ResponseOf<typeof userEndpoints.getSettings>;
type Change = BodyInputOf<typeof userEndpoints.putSettings>;

/**
 * Shows the new value at once and takes it back if the server refuses it. Saves go one after another, and each touches only
 * the fields it is about: two quick presses neither flicker nor undo each other.
 */
export function useSaveSettings(userId: string) {
  const settings = settingsKey(userId);
  /** What the server has, as far as it is known while saves are under way. */
  const stored = [...SAVING, userId, 'stored'];
  const key = [...SAVING, userId];
  const { cache } = useSdk();
  const queries = useQueryClient();
  const isLast = () => queries.isMutating({ mutationKey: key, exact: true }) === 1;
  /** What the server has, and on it each press that it has not refused. */
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
        // An answer that is still under way is older than the press.
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

/** As the server keeps it: of the notices only the kinds that the change names. */
function withChange(toggles: Toggles, { notices, ...change }: Change): Toggles {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return { ...toggles, ...given, ...(notices ? { notices: { ...toggles.notices, ...(notices as object) } } : {}) };
}
