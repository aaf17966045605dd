import * as userEndpoints from '@cord/contracts/addresses/users';
import type { BodyInputOf, ResponseOf } from '@cord/contracts/calls';
import { useQueryClient, useSdk } from '@cord/sdk';
import { settingsKey } from '@cord/sdk/host';
import { useMutation } from '@tanstack/react-query';
import { notSavedToast } from './toast-failure';

/** Saves under this key are told at the top of the page. */
export const SAVING = ['save-settings'] as const;

type Toggles = ResponseOf<typeof userEndpoints.getSettings>;
type Change = BodyInputOf<typeof userEndpoints.putSettings>;

/**
 * Shows the new value at once and takes it back if the server refuses it. Saves go one after another, and each touches only
 * the fields it is about: two quick presses neither flicker nor undo each other.
 */
export function useSaveSettings(userId: string) {
  const key = settingsKey(userId);
  const { toasts, writes, cache } = useSdk();
  const queries = useQueryClient();
  const isLast = () => queries.isMutating({ mutationKey: SAVING }) === 1;
  return useMutation({
    mutationKey: SAVING,
    scope: { id: SAVING[0] },
    mutationFn: (change: Change) =>
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
      queries.setQueryData<Toggles>(key, (toggles) => toggles && withChange(toggles, change));
      return { before: before && Object.fromEntries(fields.map((field) => [field, before[field]])) };
    },
    onSuccess: (toggles) => {
      if (!isLast()) return;
      cache.setData(key, toggles);
    },
    onError: (error, _change, context) => {
      queries.setQueryData<Toggles>(key, (toggles) => toggles && { ...toggles, ...context?.before });
      toasts.show(notSavedToast(error));
      if (isLast()) cache.invalidate([key]);
    },
  });
}

/** As the server keeps it: of the notices only the kinds that the change names. */
function withChange(toggles: Toggles, { notices, ...change }: Change): Toggles {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return { ...toggles, ...given, ...(notices ? { notices: { ...toggles.notices, ...(notices as object) } } : {}) };
}
