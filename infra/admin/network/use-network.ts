import * as admin from '@cord/contracts/addresses/admin';
import * as at from '@cord/contracts/addresses/support';
import { ApiError, useQuery, useSdk } from '@cord/sdk';

const key = 'operators';
const ACCOUNT_MS = 10_000;
/** A look at who counts at an address is a line of the audit log: one look is enough for a while, ms. */
const LOOK_MS = 5 * 60_000;

/** Whatever is kept of accounts and addresses: old after an act on one of them. */
export const NETWORK_KEYS = [
  [key, 'user'],
  [key, 'address'],
  [key, 'network'],
  [key, 'users'],
] as const;
const accountKey = (userId: string) => [key, 'user', userId] as const;
const addressKey = (address: string | null) => [key, 'address', address] as const;

/** An account as operators see it, with its network check; null for one that is not there any more. */
export function useAccount(userId: string) {
  const { api } = useSdk();
  return useQuery({
    queryKey: accountKey(userId),
    queryFn: async ({ signal }) => {
      try {
        return await api.call(at.userDetail, { params: { id: userId }, signal });
      } catch (error) {
        if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return null;
        throw error;
      }
    },
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
    queryKey: [key, 'network', userId],
    queryFn: ({ signal }) => api.call(admin.network, { params: { id: userId }, signal }),
    staleTime: LOOK_MS,
  });
}
