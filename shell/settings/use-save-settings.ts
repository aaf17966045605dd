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
  const key = [...SAVING, userId];
  const { cache } = useSdk();
  const queries = useQueryClient();
  const isLast = () => queries.isMutating({ mutationKey: key, exact: true }) === 1;
  return useWrite(
    (api, change: Change) => api.call(userEndpoints.putSettings, { params: { id: userId }, body: change }),
    {
      key,
      queue: true,
      onPress: async (change) => {
        // An answer that is still under way is older than the press.
        await queries.cancelQueries({ queryKey: settings });
        const known = queries.getQueryData<Toggles>(settings);
        const before = known && Object.fromEntries(fieldsOf(change).map((field) => [field, known[field]]));
        queries.setQueryData<Toggles>(settings, (toggles) => toggles && withChange(toggles, change));
        return () => queries.setQueryData<Toggles>(settings, (toggles) => toggles && { ...toggles, ...before });
      },
      onDone: (toggles) => {
        if (isLast()) cache.setData(settings, toggles);
      },
      onFailed: () => {
        if (isLast()) cache.invalidate([settings]);
      },
      toast: { failed: notSavedToast },
    },
  );
}

const fieldsOf = (change: Change) => Object.keys(change) as (keyof Toggles)[];

/** As the server keeps it: of the notices only the kinds that the change names. */
function withChange(toggles: Toggles, { notices, ...change }: Change): Toggles {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return { ...toggles, ...given, ...(notices ? { notices: { ...toggles.notices, ...(notices as object) } } : {}) };
}
