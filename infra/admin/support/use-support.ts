import * as at from '@cord/contracts/addresses/support';
import type { AdminSupportRequest } from '@cord/contracts/http/support';
import { useQuery, useSdk, useWrite } from '@cord/sdk';
import { NETWORK_KEYS } from '../network/use-network';
import { useActWrite } from '../room/act-write';
import { OPERATORS, orGone, pageFrom, pollEvery, useRead } from '../room/reads';

export const KINDS = ['all', 'appeal', 'refund', 'support'] as const;
export const STATES = ['open', 'answered', 'closed'] as const;

const LIST = [OPERATORS, 'support'] as const;
const LIST_MS = 10_000;

export interface Wanted {
  status: (typeof STATES)[number];
  kind: (typeof KINDS)[number];
  search: string;
  cursor: string | null;
}

/** Reads a page of the queue, in the server's order. */
export function useCases({ status, kind, search, cursor }: Wanted) {
  return useRead(at.queue, {
    key: [...LIST, status, kind, search, cursor],
    query: {
      status,
      ...pageFrom(cursor),
      ...(kind === 'all' ? {} : { kind }),
      ...(search.length >= 2 ? { search } : {}),
    },
    keepPrevious: true,
    ...pollEvery(LIST_MS),
  });
}

const caseKey = (id: string) => [OPERATORS, 'case', id] as const;

/** Reads one case; null if it no longer exists. */
export function useCase(id: string) {
  const { api } = useSdk();
  return useQuery({
    queryKey: caseKey(id),
    queryFn: ({ signal }) => orGone(api.call(at.oneCase, { params: { id }, signal })),
    ...pollEvery(LIST_MS),
  });
}

const refreshed = (id: string) => [LIST, caseKey(id), ...NETWORK_KEYS, [OPERATORS, 'overview']];

/** Assigns a case to this operator, or releases it. */
export function useTake(id: string) {
  return useWrite<boolean, AdminSupportRequest>(
    (api, taken) => api.call(at.take, { params: { id }, body: { taken } }),
    {
      key: [OPERATORS, 'take', id],
      refresh: refreshed(id),
      toast: { failed: ({ message }) => ({ kind: 'error', title: message }) },
    },
  );
}

/** The decision that goes with an answer. */
export interface Decision {
  answer: string;
  close: boolean;
  /** The act before the answer, with its reason. */
  first:
    | { act: 'share'; address: string; userId: string; reason: string }
    | { act: 'clear'; userId: string; reason: string }
    | null;
}

/**
 * Sends the decision first, then the answer that describes it. If it is interrupted in between, the case is still open, and the
 * same button does the rest.
 */
export function useAnswer(id: string, onSuccess: () => void) {
  return useActWrite<Decision, AdminSupportRequest>(
    async (api, { answer, close, first }) => {
      if (first?.act === 'share') {
        await api.call(at.markAddress, {
          params: { key: first.address },
          body: { shared: true, reason: first.reason, about: first.userId },
        });
      } else if (first?.act === 'clear') {
        await api.call(at.changeUser, { params: { id: first.userId }, body: { cleared: true, reason: first.reason } });
      }
      return api.call(at.answer, { params: { id }, body: { answer, close } });
    },
    {
      key: [OPERATORS, 'answer', id],
      refresh: refreshed(id),
      onDone: onSuccess,
    },
  );
}
