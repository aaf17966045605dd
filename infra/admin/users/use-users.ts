import * as at from '@cord/contracts/addresses/admin';
import * as corrections from '@cord/contracts/addresses/corrections';
import * as rewards from '@cord/contracts/addresses/rewards';
import * as support from '@cord/contracts/addresses/support';
import type { Api } from '@cord/sdk';
import { CORRECTIONS } from '../corrections/use-corrections';
import { NETWORK_KEYS } from '../network/use-network';
import { REFUNDS } from '../refunds/use-refunds';
import { useActWrite } from '../room/act-write';
import { OPERATORS, pageFrom, useRead } from '../room/reads';

const LIST_MS = 10_000;
/** Each read of an account's private data writes an audit entry, so a result is kept this long, ms. */
const LOOK_MS = 5 * 60_000;

export const WHO = ['all', 'admin'] as const;

export interface Wanted {
  who: (typeof WHO)[number];
  search: string;
  cursor: string | null;
}

/** Reads a page of accounts, in the server's order. */
export function useUsers({ who, search, cursor }: Wanted) {
  return useRead(at.users, {
    key: [OPERATORS, 'users', who, search, cursor],
    query: {
      ...pageFrom(cursor),
      ...(who === 'admin' ? { role: who } : {}),
      ...(search === '' ? {} : { search }),
    },
    keepPrevious: true,
    staleTime: LIST_MS,
  });
}

/** Sources that the filter offers. Entries of other sources are rare and found without a filter. */
export const SOURCES = ['all', 'mining', 'task', 'checkin', 'commission'] as const;

interface EntriesOf {
  source: (typeof SOURCES)[number];
  cursor: string | null;
}

/** Reads a page of an account's entries of one or all sources, newest first. */
export function useUserLedger(userId: string, { source, cursor }: EntriesOf = { source: 'all', cursor: null }) {
  return useRead(at.ledger, {
    key: [OPERATORS, 'ledger', userId, source, cursor],
    params: { id: userId },
    query: { ...pageFrom(cursor), ...(source === 'all' ? {} : { source }) },
    keepPrevious: true,
    staleTime: LOOK_MS,
  });
}

/** Query options for a page of an account's private data, newest first. */
const ownPage = (of: string, userId: string, cursor: string | null) => ({
  key: [OPERATORS, of, userId, cursor],
  params: { id: userId },
  query: pageFrom(cursor),
  keepPrevious: true,
  staleTime: LOOK_MS,
});

export const useUserMining = (userId: string, cursor: string | null) =>
  useRead(at.mining, ownPage('mining', userId, cursor));
export const useUserOrders = (userId: string, cursor: string | null) =>
  useRead(at.orders, ownPage('orders', userId, cursor));

/** Reads the one-time claims of an account. */
export function useUserClaims(userId: string) {
  return useRead(at.claims, { key: [OPERATORS, 'claims', userId], params: { id: userId }, staleTime: LOOK_MS });
}

const sessionsKey = (userId: string) => [OPERATORS, 'sessions', userId] as const;

/** Sign-in sessions of an account. */
export function useUserSessions(userId: string) {
  return useRead(at.sessions, { key: sessionsKey(userId), params: { id: userId }, staleTime: LOOK_MS });
}

/** Acts on an account, in the order of the buttons. */
export const ACTS = ['clear', 'unclear', 'share', 'unshare', 'correct', 'payment', 'end', 'admin', 'user'] as const;
export type Act = (typeof ACTS)[number];

interface Acted {
  reason: string;
  /** The address at which the account is counted, for acts on it. */
  address: string;
  /** Amount of a correction, CORD. */
  amount: number;
  /** Signature of a payment without an order reference. */
  transaction: string;
}

/** Sends an act; it is written to the audit log with its reason. */
export function useAct(userId: string, act: Act, onSuccess: (ended: number | null) => void) {
  return useActWrite<Acted, number | null>((api, acted) => send(api, userId, act, acted), {
    key: [OPERATORS, 'act', act, userId],
    refresh: [...NETWORK_KEYS, sessionsKey(userId), CORRECTIONS, REFUNDS, [OPERATORS, 'orders', userId]],
    onDone: onSuccess,
  });
}

/** @returns number of ended sessions; null for other acts */
async function send(
  api: Api,
  userId: string,
  act: Act,
  { reason, address, amount, transaction }: Acted,
): Promise<number | null> {
  const params = { id: userId };
  if (act === 'correct') {
    await api.call(corrections.propose, { params, body: { amount, reason } });
    return null;
  }
  if (act === 'payment') {
    await api.call(rewards.recordRefund, { body: { userId, transactionHash: transaction, note: reason } });
    return null;
  }
  if (act === 'end') return (await api.call(at.endSessions, { params, body: { reason } })).ended;
  if (act === 'share' || act === 'unshare') {
    const body = { shared: act === 'share', reason, about: userId };
    await api.call(support.markAddress, { params: { key: address }, body });
    return null;
  }
  const changes = act === 'clear' || act === 'unclear' ? { cleared: act === 'clear' } : { admin: act === 'admin' };
  await api.call(support.changeUser, { params, body: { ...changes, reason } });
  return null;
}
