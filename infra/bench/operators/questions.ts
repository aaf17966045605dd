import type { SupportStore } from '../../../services/auth/store/support.ts';
import type { NamePlace, UserStore } from '../../../services/auth/store/users.ts';
import { idOf } from '../ranks/crowd.ts';
import { caseId, filedMs } from './cases.ts';

const PAGE = 26;

/** Numbers of documents. */
export interface Size {
  users: number;
  cases: number;
}

export type Question = () => Promise<{ length: number }>;

/**
 * Returns the queries of an operator's lists by name: first pages, pages from the middle, and searches.
 * @param stores of auth
 */
export function questionsOf(
  { users, support }: { users: UserStore; support: SupportStore },
  size: Size,
  nowMs: number,
): Record<string, Question> {
  const middle = Math.floor(size.users / 2);
  const half = Math.floor(size.cases / 20) * 10;
  const inside = (priority: boolean) => ({ priority, createdAtMs: filedMs(half, nowMs), _id: caseId(half) });
  const page = (query: Partial<Parameters<SupportStore['queue']>[0]>) => ({
    status: null,
    kind: null,
    found: null,
    after: null,
    limit: PAGE,
    ...query,
  });
  const named = (begin: string, after: NamePlace | null = null) =>
    users.byName({ begin, admins: false, after, limit: PAGE });
  return {
    users_all: () => named(''),
    users_inside: () => named('', { usernameLower: `miner${middle}`, _id: idOf(middle) }),
    users_by_name: () => named(`miner${middle}`),
    users_by_id: () => users.byIdPrefix({ begin: idOf(middle).slice(0, 8), admins: false, after: null, limit: PAGE }),
    cases_open: () => support.queue(page({ status: 'open' })),
    cases_open_inside: () => support.queue(page({ status: 'open', after: inside(false) })),
    cases_open_inside_holders: () => support.queue(page({ status: 'open', after: inside(true) })),
    cases_all: () => support.queue(page({})),
    cases_all_inside: () => support.queue(page({ after: inside(false) })),
    refunds: () => support.queue(page({ kind: 'refund' })),
    refunds_open_or_not_inside: () => support.queue(page({ kind: 'refund', after: inside(true) })),
    appeals_open: () => support.queue(page({ status: 'open', kind: 'appeal' })),
    cases_by_name: async () => {
      const userIds = await users.namedLike('miner', PAGE * 2);
      return support.queue(page({ found: { userIds, idPrefix: null } }));
    },
    cases_by_id: () => support.queue(page({ found: { userIds: [], idPrefix: caseId(half).slice(0, 2) } })),
    cases_waiting: () => support.waiting(),
  };
}
