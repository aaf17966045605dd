import * as noticesEndpoints from '@cord/contracts/addresses/notices';
import { useQuery, useSdk, useUserId, useWrite } from '@cord/sdk';
import { endPushes } from '../../offline/push-owner';
import { failureToast } from '../toast-failure';
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

/** What this browser shows of it. */
export function useThisBrowser() {
  return useQuery({ queryKey: [ALL, 'here'], queryFn: thisBrowser, staleTime: 0, networkMode: 'always' }).data;
}

/** What can be done to this browser's device; each shows a toast for what did not work. */
export function usePushActions() {
  const sdk = useSdk();
  const id = useUserId() ?? '';
  return {
    allow: useWrite((_api, serverKey: string) => allowHere(sdk, id, serverKey), options(id, ['allow'], 'notOn')),
    leave: useWrite(
      async (api, device: string) => {
        await endPushes();
        await api.call(noticesEndpoints.pushRemove, { params: { id }, body: { id: device } });
      },
      options(id, ['leave'], 'notRemoved'),
    ),
    test: useWrite(
      (api, device: string) => api.call(noticesEndpoints.pushTest, { params: { id }, body: { id: device } }),
      options(id, ['test'], 'notTested'),
    ),
  };
}

/** Ends the pushes to another device. */
export function useRemoveDevice(deviceId: string) {
  const id = useUserId() ?? '';
  return useWrite(
    (api, device: string) => api.call(noticesEndpoints.pushRemove, { params: { id }, body: { id: device } }),
    options(id, ['remove', deviceId], 'notRemoved'),
  );
}

function options(userId: string, name: readonly string[], failed: 'notOn' | 'notRemoved' | 'notTested') {
  return {
    key: [ALL, userId, ...name],
    refresh: [[ALL]],
    toast: {
      // That the browser blocks it stands where it is allowed.
      failed: (error: Error) => (error instanceof NotAllowed ? null : failureToast(PUSH_TEXTS.get()[failed], error)),
    },
  };
}
