import * as noticesEndpoints from '@cord/contracts/addresses/notices';
import { useQuery, useSdk, useUserId, useWrite } from '@cord/sdk';
import { endPushes } from '../../offline/push-owner';
import { failureToast } from '../toast-failure';
import { PUSH_TEXTS } from './texts';
import { allowHere, NotAllowed, thisBrowser } from './this-browser';

const ALL = 'push';

/** Returns the key to subscribe with; null when the system sends no pushes, undefined while unknown. */
export function usePushKey(): string | null | undefined {
  return useServerKey().data?.key;
}

/** Returns the query of the key. */
export function useServerKey() {
  const { api } = useSdk();
  const id = useUserId() ?? '';
  return useQuery({
    queryKey: [ALL, id, 'key'],
    queryFn: ({ signal }) => api.call(noticesEndpoints.pushKey, { params: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Returns the devices that the server pushes to. */
export function useDevices() {
  const { api } = useSdk();
  const id = useUserId() ?? '';
  return useQuery({
    queryKey: [ALL, id, 'devices'],
    queryFn: ({ signal }) => api.call(noticesEndpoints.pushDevices, { params: { id }, signal }),
    staleTime: 0,
  });
}

/** Returns the push state of this browser. */
export function useThisBrowser() {
  return useQuery({ queryKey: [ALL, 'here'], queryFn: thisBrowser, staleTime: 0, networkMode: 'always' }).data;
}

/** Returns the actions on this browser's subscription; each shows a toast when it fails. */
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

/** Returns a write that ends the pushes to another device. */
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
      // A denied permission is shown beside the switch.
      failed: (error: Error) => (error instanceof NotAllowed ? null : failureToast(PUSH_TEXTS.get()[failed], error)),
    },
  };
}
