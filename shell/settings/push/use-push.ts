import * as noticesEndpoints from '@cord/contracts/addresses/notices';
import { useQuery, useQueryClient, useSdk, useUserId } from '@cord/sdk';
import { useMutation } from '@tanstack/react-query';
import { endPushes } from '../../offline/push-owner';
import { toastFailure } from '../toast-failure';
import { PUSH_TEXTS } from './texts';
import { allowHere, NotAllowed, thisBrowser } from './this-browser';

const ALL = 'push';

/** The key to subscribe with; null where the system pushes nothing, undefined while that is not known. */
export function usePushKey(): string | null | undefined {
  return useServerKey().data?.key;
}

/** The same, with what became of asking. */
export function useServerKey() {
  const { api } = useSdk();
  const id = useUserId() ?? '';
  return useQuery({
    queryKey: [ALL, id, 'key'],
    queryFn: ({ signal }) => api.call(noticesEndpoints.pushKey, { params: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The devices that the server pushes to. */
export function useDevices() {
  const { api } = useSdk();
  const id = useUserId() ?? '';
  return useQuery({
    queryKey: [ALL, id, 'devices'],
    queryFn: ({ signal }) => api.call(noticesEndpoints.pushDevices, { params: { id }, signal }),
    staleTime: 0,
  });
}

/** What this browser says of it. */
export function useThisBrowser() {
  return useQuery({ queryKey: [ALL, 'here'], queryFn: thisBrowser, staleTime: 0, networkMode: 'always' }).data;
}

/** What can be done to devices; each tells by a toast what did not work. */
export function usePushActions() {
  const sdk = useSdk();
  const { api, toasts } = sdk;
  const queries = useQueryClient();
  const id = useUserId() ?? '';
  const again = { onSettled: () => queries.invalidateQueries({ queryKey: [ALL] }) };
  const remove = (device: string) => api.call(noticesEndpoints.pushRemove, { params: { id }, body: { id: device } });
  return {
    allow: useMutation({
      mutationFn: (key: string) => allowHere(sdk, id, key),
      // That the browser blocks it is said where it stands.
      onError: (error) => error instanceof NotAllowed || toastFailure(toasts, PUSH_TEXTS.get().notOn, error),
      ...again,
    }),
    /** @param device this browser's */
    leave: useMutation({
      mutationFn: async (device: string) => {
        await endPushes();
        await remove(device);
      },
      onError: (error) => toastFailure(toasts, PUSH_TEXTS.get().notRemoved, error),
      ...again,
    }),
    remove: useMutation({
      mutationFn: remove,
      onError: (error) => toastFailure(toasts, PUSH_TEXTS.get().notRemoved, error),
      ...again,
    }),
    test: useMutation({
      mutationFn: (device: string) => api.call(noticesEndpoints.pushTest, { params: { id }, body: { id: device } }),
      onError: (error) => toastFailure(toasts, PUSH_TEXTS.get().notTested, error),
      ...again,
    }),
  };
}
