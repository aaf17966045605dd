import { adminEndpoints } from '@cord/contracts/http/admin';
import { microToNumber } from '@cord/contracts/rules/money';
import { TEXTS } from '@cord/contracts/texts';
import { type AuditLog, logAccountView } from '@cord/kit/audit-log';
import type { Http } from '@cord/kit/http';
import { isPending } from '@cord/kit/outbox/items';
import { pageByTime } from '@cord/kit/page';
import { notFound } from '@cord/kit/problem';
import type { BadgeDesk } from '../badge/open.js';
import { creditOf } from '../claims.js';
import { CLAIMS, type ClaimKind, type CompensationTerms, claimRefusal } from '../domain/claims.js';
import type { HolderDocument, RewardsStore } from '../store.js';
import { presentOrder } from './present.js';

/** Registers the operators' routes to an account's orders and one-time claims. Each access is recorded in the audit log. */
export function accountRoutes(
  http: Http,
  {
    store,
    desk: { orders, refunds },
    terms,
    audit,
  }: {
    store: RewardsStore;
    desk: Pick<BadgeDesk, 'orders' | 'refunds'>;
    terms: CompensationTerms;
    audit: Pick<AuditLog, 'logView'>;
  },
): void {
  http.route(adminEndpoints.orders, async (call) => {
    const { params, query, now } = call;
    await holderOf(params.id);
    await logAccountView(audit, call, 'orders');
    const madeAt = ({ createdAtMs }: { createdAtMs: number }) => createdAtMs;
    const [page, back] = await Promise.all([
      pageByTime(query, madeAt, (span, most) => orders.within(params.id, span, most)),
      refunds.ofUser(params.id),
    ]);
    return { orders: page.shown.map((order) => presentOrder(order, back, now)), nextCursor: page.nextCursor };
  });

  http.route(adminEndpoints.claims, async (call) => {
    const holder = await holderOf(call.params.id);
    await logAccountView(audit, call, 'claims');
    return { claims: (['compensation', 'cordClaim'] as const).map((kind) => claimOf(holder, kind)) };
  });

  async function holderOf(userId: string): Promise<HolderDocument> {
    const holder = await store.holders.get(userId);
    if (!holder) throw notFound('unknown-user', TEXTS.userNotFound);
    return holder;
  }

  function claimOf(holder: HolderDocument, kind: ClaimKind) {
    const made = holder[kind];
    const { key } = creditOf(holder._id, kind);
    return {
      kind: CLAIMS[kind].source,
      amount: microToNumber(made?.amountMicro ?? CLAIMS[kind].amountMicro),
      claimedAt: made ? new Date(made.atMs).toISOString() : null,
      pending: isPending(holder, key),
      refusal: claimRefusal(kind, holder, terms),
    };
  }
}
