import * as admin from '@cord/contracts/addresses/admin';
import * as at from '@cord/contracts/addresses/support';
import { useQuery, useSdk } from '@cord/sdk';
import { orGone } from '../room/or-gone';
import { OPERATORS } from '../room/query-key';

const ACCOUNT_MS = 10_000;
/** A look at who counts at an address is a line of the audit log: one look is enough for a while, ms. */
const LOOK_MS = 5 * 60_000;

/** Whatever is kept of accounts and addresses: old after an act on one of them. */
export const NETWORK_KEYS = [
  [OPERATORS, 'user'],
  [OPERATORS, 'address'],
  [OPERATORS, 'network'],
  [OPERATORS, 'users'],
] as const;
const accountKey = (userId: string) => [OPERATORS, 'user', userId] as const;
const addressKey = (address: string | null) => [OPERATORS, 'address', address] as const;

/** An account as operators see it, with its network check; null for one that is not there any more. */
export function useAccount(userId: string) {
  const { api } = useSdk();
  return useQuery({
    queryKey: accountKey(userId),
    queryFn: ({ signal }) => orGone(api.call(at.userDetail, { params: { id: userId }, signal })),
    staleTime: ACCOUNT_MS,
  });
}

/** Who counts at an address. */
export function useAddress(address: string | null) {
  const { api } = useSdk();
  return useQuery({
    queryKey: addressKey(address),
    queryFn: ({ signal }) => api.call(at.address, { params: { key: address ?? '' }, signal }),
    enabled: address !== null,
    staleTime: LOOK_MS,
  });
}

/** Where an account mined. */
export function useUserNetwork(userId: string) {
  const { api } = useSdk();
  return useQuery({
    queryKey: [OPERATORS, 'network', userId],
    queryFn: ({ signal }) => api.call(admin.network, { params: { id: userId }, signal }),
    staleTime: LOOK_MS,
  });
}
