import * as admin from '@cord/contracts/addresses/admin';
import * as at from '@cord/contracts/addresses/support';
import { useQuery, useSdk } from '@cord/sdk';
import { OPERATORS, orGone, useRead } from '../room/reads';

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

/** An account as operators see it, with its network check; null for one that is not there any more. */
export function useAccount(userId: string) {
  const { api } = useSdk();
  return useQuery({
    queryKey: [OPERATORS, 'user', userId],
    queryFn: ({ signal }) => orGone(api.call(at.userDetail, { params: { id: userId }, signal })),
    staleTime: ACCOUNT_MS,
  });
}

/** Who counts at an address. */
export function useAddress(address: string | null) {
  return useRead(at.address, {
    key: [OPERATORS, 'address', address],
    params: { key: address ?? '' },
    enabled: address !== null,
    staleTime: LOOK_MS,
  });
}

/** Where an account mined. */
export function useUserNetwork(userId: string) {
  return useRead(admin.network, { key: [OPERATORS, 'network', userId], params: { id: userId }, staleTime: LOOK_MS });
}
