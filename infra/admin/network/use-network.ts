import * as admin from '@cord/contracts/addresses/admin';
import * as at from '@cord/contracts/addresses/support';
import { useQuery, useSdk } from '@cord/sdk';
import { OPERATORS, orGone, useRead } from '../room/reads';

const ACCOUNT_MS = 10_000;
/** Each read of an address writes an audit entry, so a result is kept this long, ms. */
const LOOK_MS = 5 * 60_000;

/** Query keys to invalidate after an act on an account or address. */
export const NETWORK_KEYS = [
  [OPERATORS, 'user'],
  [OPERATORS, 'address'],
  [OPERATORS, 'network'],
  [OPERATORS, 'users'],
] as const;

/** Reads an account with its network check; null if it no longer exists. */
export function useAccount(userId: string) {
  const { api } = useSdk();
  return useQuery({
    queryKey: [OPERATORS, 'user', userId],
    queryFn: ({ signal }) => orGone(api.call(at.userDetail, { params: { id: userId }, signal })),
    staleTime: ACCOUNT_MS,
  });
}

/** Reads the accounts that are counted at an address. */
export function useAddress(address: string | null) {
  return useRead(at.address, {
    key: [OPERATORS, 'address', address],
    params: { key: address ?? '' },
    enabled: address !== null,
    staleTime: LOOK_MS,
  });
}

/** Reads the addresses where an account mined. */
export function useUserNetwork(userId: string) {
  return useRead(admin.network, { key: [OPERATORS, 'network', userId], params: { id: userId }, staleTime: LOOK_MS });
}
