import { rewardEndpoints } from '@cord/contracts/http/rewards';
import type { AuditLog } from '@cord/kit/audit-log';
import type { Http } from '@cord/kit/http';
import { cursor, pageOf } from '@cord/kit/page';
import { badInput, conflict, notFound, type Problem } from '@cord/kit/problem';
import type { BadgeDesk } from '../badge/open.js';
import { type Refund, type RefundPlace, type Refunds, refundId } from '../badge/refunds.js';
import { isSignature } from '../chain/signature.js';
import { networkUnavailable } from '../chain/wallet-network.js';
import { ERASED } from '../domain/orders.js';
import type { RewardsStore } from '../store.js';
import { presentAdminRefund } from './present.js';

const PLACE = cursor<RefundPlace>({ status: (text) => text as Refund['status'], atMs: Number, _id: String });

interface Parts {
  refunds: Refunds;
  proof: BadgeDesk['proof'];
  holders: Pick<RewardsStore['holders'], 'get'>;
  audit: Pick<AuditLog, 'write' | 'forget'>;
}

/** Registers the refund routes: admins return payments by hand from the treasury's wallet and note the transaction here. */
export function refundRoutes(http: Http, { refunds, proof, holders, audit }: Parts): void {
  http.route(rewardEndpoints.refunds, async ({ query: { status = null, cursor: after, limit } }) => {
    const found = await refunds.list({ status, after: PLACE.read(after), limit: limit + 1 });
    const { shown, nextCursor } = pageOf(found, limit, PLACE.of);
    return { refunds: shown.map(presentAdminRefund), nextCursor };
  });

  http.route(rewardEndpoints.recordRefund, async ({ user, body: { userId, transactionHash, note } }) => {
    if (!isSignature(transactionHash)) throw badInput('transactionHash', 'must be the signature of a transaction');
    if (!proof) throw networkUnavailable();
    const taken = await proof.unassigned.take(userId, transactionHash);
    const id = refundId(transactionHash);
    const detail = { transactionHash, note };
    await audit.write({ adminId: user.id, action: 'payment.recorded', target: id, detail, about: userId });
    try {
      await proof.unassigned.record(taken);
    } finally {
      // The account may have been deleted since its order was read: its erasure does not see entries written afterwards.
      if ((await holders.get(userId))?.erased) await audit.forget(id);
    }
    const refund = await refunds.get(id);
    if (!refund) throw notFound('refund-not-found', 'Refund not found');
    return presentAdminRefund(refund);
  });

  http.route(rewardEndpoints.returnRefund, async ({ user, params, body, now }) => {
    const refund = await refunds.get(params.id);
    if (!refund) throw notFound('refund-not-found', 'Refund not found');
    if (!isSignature(body.returnTransaction))
      throw badInput('returnTransaction', 'must be the signature of a transaction');
    const { returnTransaction } = body;
    // The same transaction again is a retry, e.g. of a client that lost the response.
    const answer = (stands: Refund) => {
      if (stands.returnTransaction === returnTransaction) return presentAdminRefund(stands);
      throw refusalOf(stands);
    };
    if (!isOpen(refund)) return answer(refund);
    const by = { returnTransaction, returnedAtMs: now, note: body.note ?? null };
    const act = { adminId: user.id, action: 'refund.returned', target: refund._id, detail: by };
    await audit.write({ ...act, about: refund.userId });
    const noted = await refunds.note(params.id, by);
    // The account may have been deleted, or its refund proven, since the refund was read: neither sees entries written afterwards.
    const isGone = refund.userId === ERASED ? !noted : (await holders.get(refund.userId))?.erased === true;
    if (isGone) await audit.forget(refund._id);
    return answer(noted ?? (await refunds.get(params.id)) ?? refund);
  });
}

const isOpen = ({ status, returnTransaction }: Refund) => status === 'open' && returnTransaction === null;

/** Returns why nothing can be noted: the return is proven, or a transaction is being looked up. */
function refusalOf({ status }: Refund): Problem {
  return status === 'returned'
    ? conflict('refund-returned', 'This payment has already been returned')
    : conflict('refund-noted', 'A transaction is already recorded and is being looked up on the chain');
}
