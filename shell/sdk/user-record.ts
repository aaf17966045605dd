import * as userEndpoints from '@cord/contracts/addresses/users';
import type { User } from '@cord/contracts/http/users';
import { useCallback } from 'react';
import { type Sdk, useSdk } from './sdk';

/** Fetches the user's own whole record and merges it, here and in the other tabs. A failure keeps the known state. */
export async function refreshUser({ api, session }: Pick<Sdk, 'api' | 'session'>): Promise<void> {
  const { user } = session.state.get();
  if (user === null) return;
  const record = await api.call(userEndpoints.get, { params: { id: user.id } }).catch(() => null);
  if (record === null || !isWholeRecord(record)) return;
  const { theme, locale, ...rest } = record;
  const now = session.state.get().user;
  // Theme and locale chosen during the read may be newer than the record.
  session.merge({
    ...rest,
    ...(now?.theme === user.theme && { theme }),
    ...(now?.locale === user.locale && { locale }),
  });
}

/** `refreshUser` for components. */
export function useRefreshUser(): () => Promise<void> {
  const { api, session } = useSdk();
  return useCallback(() => refreshUser({ api, session }), [api, session]);
}

/** Whether a response of GET /users/{id} is the owner's record, not the public view. */
export function isWholeRecord(record: object): record is User {
  return 'balanceSeq' in record && 'serverTime' in record;
}
