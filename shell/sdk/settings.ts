import * as userEndpoints from '@cord/contracts/addresses/users';
import type { ResponseOf } from '@cord/contracts/calls';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useUserId } from './node';
import { LIVE_SOON_MS } from './query';
import { useSdk } from './sdk';

type Settings = ResponseOf<typeof userEndpoints.getSettings>;

/** Query key of the user's settings. */
export function settingsKey(userId: string): readonly ['settings', string] {
  return ['settings', userId];
}

/** Returns the user's settings: auto-start of the node, notifications. */
export function useSettings(): UseQueryResult<Settings> {
  const { api } = useSdk();
  const userId = useUserId() ?? '';
  return useQuery({
    queryKey: settingsKey(userId),
    meta: { live: { user: LIVE_SOON_MS } },
    queryFn: ({ signal }) => api.call(userEndpoints.getSettings, { params: { id: userId }, signal }),
    enabled: userId !== '',
  });
}
