import * as userEndpoints from '@cord/contracts/addresses/users';
import { useQuery } from '@tanstack/react-query';
import { useUserId } from './node';
import { useSdk } from './sdk';

/** Key of the user's settings in the query cache. */
export function settingsKey(userId: string) {
  return ['settings', userId] as const;
}

/** What the user has set: auto-start of the node, notifications. */
export function useSettings() {
  const { api } = useSdk();
  const userId = useUserId() ?? '';
  return useQuery({
    queryKey: settingsKey(userId),
    queryFn: ({ signal }) => api.call(userEndpoints.getSettings, { params: { id: userId }, signal }),
    enabled: userId !== '',
  });
}
