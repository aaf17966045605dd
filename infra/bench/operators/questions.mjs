import { idOf } from '../ranks/crowd.ts';
import { caseId, filedMs } from './cases.mjs';

const PAGE = 26;

/**
 * What an operator's lists ask, by name: first pages, pages from the middle, and searches.
 * @param {{users: object, support: object}} stores of auth
 * @param {{users: number, cases: number}} size what is there
 */
export function questionsOf({ users, support }, size, nowMs) {
  const middle = Math.floor(size.users / 2);
  const half = Math.floor(size.cases / 20) * 10;
  const inside = (priority) => ({ priority, createdAtMs: filedMs(half, nowMs), _id: caseId(half) });
  const page = (asked) => ({ status: null, kind: null, found: null, after: null, limit: PAGE, ...asked });
  const named = (begin, after = null) => users.byName({ begin, admins: false, after, limit: PAGE });
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
