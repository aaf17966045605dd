import { rulesEndpoints as endpoints, type RuleProposal } from '@cord/contracts/http/rules';
import type { Clock } from '@cord/kit/clock';
import type { Http } from '@cord/kit/http';
import { onceId } from '@cord/kit/idempotency';
import { badInput, conflict, notFound } from '@cord/kit/problem';
import { requireSecondOperator } from '@cord/kit/second-operator';
import { FIRST, type Proposal, withBook } from '../domain/rules.js';
import type { EpochDesk } from '../epoch-desk.js';
import { type RuleRows, withoutProposal } from '../store.js';

/** Maximum number of open proposals. */
const PROPOSALS_MAX = 20;

/** Registers the routes of the rules, and of their change by two operators (services/contracts/rules/README.md#a-change-of-the-rules). */
export function rulesRoutes(http: Http, { desk, clock }: { desk: EpochDesk; clock: Clock }): void {
  const openOf = ({ proposals }: RuleRows) => ({ proposals: proposals.map(present) });
  const proposalOf = (rows: RuleRows, id: string) => rows.proposals.find((one) => one.id === id);
  const isAnnounced = ({ books }: RuleRows, id: string) => books.some(({ proposal }) => proposal === id);
  /** @throws Problem 400 naming the invalid field */
  const announced = (rows: RuleRows, proposal: Proposal) => {
    const result = withBook(rows.books, proposal, clock.now());
    if (!('refusal' in result)) return result.books;
    const { path, message, translations } = result.refusal;
    throw badInput(path, message, translations);
  };

  http.publicRoute(endpoints.rules, async () => {
    const { epochs, books } = await desk.rows();
    const shown = books.map(({ proposal: _id, ...book }) => book);
    return { books: shown.length === 0 ? [FIRST] : shown, epochs: [...epochs] };
  });

  http.route(endpoints.proposals, async () => openOf(await desk.rows()));

  http.route(endpoints.propose, async ({ body: { from, changes, reason, sooner = null }, user, now }) => {
    const id = onceId('proposal');
    const proposed = { reason, sooner, proposedBy: user.id, proposedAtMs: now };
    const proposal: Proposal = { id, fromMs: Date.parse(from), changes, ...proposed };
    const of = (rows: RuleRows) => proposalOf(rows, id) ?? null;
    await desk.change({ adminId: user.id, action: 'rules.proposed', target: id, reason, of }, (rows) => {
      // A retry of the call finds its proposal stored.
      if (proposalOf(rows, id) || isAnnounced(rows, id)) return rows;
      announced(rows, proposal);
      if (rows.proposals.length >= PROPOSALS_MAX) throw conflict('rules-full', 'Too many changes wait already');
      return { ...rows, proposals: [...rows.proposals, proposal] };
    });
    return present(proposal);
  });

  http.route(endpoints.decide, async ({ params: { id }, body: { decision, reason }, user }) => {
    const rows = await desk.rows();
    const proposal = proposalOf(rows, id);
    const confirms = decision === 'confirm';
    // The response to the first attempt may have been lost.
    if (confirms && isAnnounced(rows, id)) return openOf(rows);
    if (!proposal) throw notFound('proposal-not-found', 'This change does not wait any more');
    if (confirms) requireSecondOperator(user, proposal, 'change');
    const of = ({ books, proposals }: RuleRows) => ({ book: books.at(-1) ?? FIRST, proposals: proposals.length });
    const action = confirms ? 'rules.confirmed' : 'rules.withdrawn';
    await desk.change({ adminId: user.id, action, target: id, reason, of }, (present) => {
      if (!proposalOf(present, id)) throw notFound('proposal-not-found', 'This change does not wait any more');
      const books = confirms ? announced(present, proposal) : present.books;
      return { ...withoutProposal(present, id), books };
    });
    return openOf(await desk.rows());
  });
}

function present({ fromMs, proposedAtMs, ...proposal }: Proposal): RuleProposal {
  return { ...proposal, from: new Date(fromMs).toISOString(), proposedAt: new Date(proposedAtMs).toISOString() };
}
