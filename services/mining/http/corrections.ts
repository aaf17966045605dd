import { type Correction, correctionEndpoints as endpoints } from '@cord/contracts/http/corrections';
import { microToNumber, numberToMicro } from '@cord/contracts/rules/money';
import { TEXTS } from '@cord/contracts/texts';
import type { AuditLog } from '@cord/kit/audit-log';
import type { Http } from '@cord/kit/http';
import { pageByTime } from '@cord/kit/page';
import { badInput, conflict, notFound, type Problem } from '@cord/kit/problem';
import { ownAccountRefused, requireSecondOperator } from '@cord/kit/second-operator';
import type { Corrections } from '../corrections.js';
import { problemOf, withProblems } from '../problems.js';
import type { CorrectionDoc } from '../store/collections.js';

const TOO_LOW = 'must not take the balance below 0';
const TOO_LOW_TRANSLATED = { de: 'darf das Guthaben nicht unter 0 bringen' };

const unknownUser = () => notFound('unknown-user', TEXTS.userNotFound);

/** Mounts the corrections of balances. Each needs two operators; neither may own the account. */
export function mountCorrections(
  http: Http,
  corrections: Corrections,
  audit: Pick<AuditLog, 'write' | 'forget'>,
): void {
  http.route(endpoints.list, async ({ query: { state, ...page } }) => {
    const { shown, nextCursor } = await pageByTime<CorrectionDoc>(
      page,
      ({ proposedAtMs }) => proposedAtMs,
      (span, most) => corrections.list(state, span, most),
    );
    return { corrections: shown.map(toCorrection), nextCursor };
  });

  http.route(endpoints.propose, async ({ params, body: { amount, reason }, user }) => {
    if (params.id === user.id) throw ownAccountRefused();
    const amountMicro = numberToMicro(amount);
    const proposal = corrections.draft({ userId: params.id, amountMicro, reason, proposedBy: user.id });
    const refusal = await corrections.refusalOf(proposal);
    if (refusal === 'unknown-user') throw unknownUser();
    if (refusal?.type === 'below-zero') throw badInput('amount', TOO_LOW, TOO_LOW_TRANSLATED);
    const detail = { correctionId: proposal._id, amount, reason };
    await audit.write({ adminId: user.id, action: 'correction.proposed', target: params.id, detail });
    if (!(await corrections.propose(proposal))) {
      await audit.forget(params.id);
      throw unknownUser();
    }
    return toCorrection(proposal);
  });

  http.route(endpoints.decide, async ({ params: { id }, body: { decision, reason }, user }) => {
    const before = await corrections.get(id);
    if (!before) throw notFound('correction-not-found', 'Correction not found');
    const status = decision === 'confirm' ? 'confirmed' : 'withdrawn';
    if (before.userId === user.id) throw ownAccountRefused();
    // A retry, after the response to the first attempt was lost.
    if (before.status === status && before.decidedBy === user.id) return toCorrection(before);
    const isDue = before.status === 'confirmed' && before.dueAtMs !== undefined;
    if (before.status !== 'open' && !(isDue && status === 'withdrawn')) throw alreadyDecided(before);
    if (status === 'confirmed') {
      requireSecondOperator(user, before, 'correction');
      const refusal = await corrections.refusalOf(before);
      if (refusal === 'unknown-user') throw unknownUser();
      if (refusal?.type === 'below-zero') throw conflict('balance-too-low', 'The balance would fall below 0');
      if (refusal) throw problemOf(refusal);
    }
    const amount = microToNumber(before.amountMicro);
    const detail = { correctionId: id, amount, reason };
    await audit.write({ adminId: user.id, action: `correction.${status}`, target: before.userId, detail });
    const after = isDue
      ? await withProblems(() => corrections.withdrawDue(id, user.id))
      : await corrections.decide(id, status, user.id);
    if (await corrections.isGone(before.userId)) await audit.forget(before.userId);
    if (!after) throw alreadyDecided((await corrections.get(id)) ?? before);
    if (status === 'withdrawn') return toCorrection(after);
    // The decision is stored: a temporary refusal by the ledger is retried by the sweep.
    return toCorrection(await corrections.book(after).catch(() => after));
  });
}

function alreadyDecided({ status }: CorrectionDoc): Problem {
  return status === 'confirmed'
    ? conflict('correction-confirmed', 'This correction has already been confirmed')
    : conflict('correction-withdrawn', 'This correction has already been withdrawn');
}

function toCorrection(one: CorrectionDoc): Correction {
  return {
    id: one._id,
    userId: one.userId,
    amount: microToNumber(one.amountMicro),
    reason: one.reason,
    state: one.status,
    proposedBy: one.proposedBy,
    proposedAt: new Date(one.proposedAtMs).toISOString(),
    decidedBy: one.decidedBy,
    decidedAt: one.decidedAtMs === null ? null : new Date(one.decidedAtMs).toISOString(),
    booked: one.status === 'confirmed' && one.dueAtMs === undefined,
  };
}
