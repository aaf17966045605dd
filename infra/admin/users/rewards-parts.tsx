import type { UserClaim } from '@cord/contracts/http/admin';
import type { BadgeOrder } from '@cord/contracts/http/rewards';
import { type TextsOf, useTexts } from '@cord/sdk';
import { type Column, cx, formatCord, formatSol, UNKNOWN } from '@cord/ui';
import { useMoments } from '../room/moments';
import { Foot, usePages } from '../room/pager';
import { shortId } from '../room/short-id';
import { PartOf } from './parts';
import { TEXTS } from './texts';
import { useUserClaims, useUserOrders } from './use-users';
import s from './users.module.css';

type Texts = TextsOf<typeof TEXTS>;

const short = (id: string | null) => (id === null ? UNKNOWN : <code className={s.code}>{shortId(id)}</code>);

/** Badge orders of an account, newest first, in pages, with refunds of their payments. */
export function OrdersPart({ userId }: { userId: string }) {
  const t = useTexts(TEXTS);
  const columns = useOrderColumns();
  const pages = usePages();
  const orders = useUserOrders(userId, pages.cursor);
  return (
    <PartOf
      query={orders}
      failed={t.ordersFailed}
      caption={t['part.orders']}
      columns={columns}
      rowsOf={({ orders }) => orders}
      rowKey={({ id }) => id}
      empty={{ title: t.noOrders, text: t.noOrdersText }}
      foot={({ nextCursor }) => <Foot pages={pages} nextCursor={nextCursor} next={t.olderOrders} />}
    />
  );
}

function useOrderColumns(): Column<BadgeOrder>[] {
  const t = useTexts(TEXTS);
  const { minute } = useMoments();
  return [
    { key: 'id', head: t.orderId, names: true, cell: ({ id }) => short(id) },
    { key: 'made', head: t.made, cell: ({ createdAt }) => minute(createdAt) },
    { key: 'state', head: t.state, cell: (order) => <OrderState order={order} /> },
    { key: 'wallet', head: t.wallet, from: 1024, cell: ({ walletAddress }) => short(walletAddress) },
    { key: 'paid', head: t.transaction, from: 768, cell: ({ transactionHash }) => short(transactionHash) },
    { key: 'price', head: t.price, align: 'right', cell: ({ lamports }) => formatSol(lamports) },
  ];
}

function OrderState({ order: { status, refunds } }: { order: BadgeOrder }) {
  const t = useTexts(TEXTS);
  return (
    <>
      {t[`order.${status}`]}
      {refunds.map(({ id, status: back, lamports }) => (
        <small key={id} className={s.under}>
          {t[`refund.${back}`]({ amount: formatSol(lamports) })}
        </small>
      ))}
    </>
  );
}

/** The one-time claims of an account, and whether each was made. */
export function ClaimsPart({ userId }: { userId: string }) {
  const t = useTexts(TEXTS);
  const columns = useClaimColumns();
  return (
    <PartOf
      query={useUserClaims(userId)}
      failed={t.claimsFailed}
      caption={t['part.claims']}
      columns={columns}
      rowsOf={({ claims }) => claims}
      rowKey={({ kind }) => kind}
      empty={{ title: t.noClaims, text: t.claimsNote }}
      foot={() => <p className={cx('t-note', s.note)}>{t.claimsNote}</p>}
    />
  );
}

function useClaimColumns(): Column<UserClaim>[] {
  const t = useTexts(TEXTS);
  const { minute } = useMoments();
  return [
    { key: 'kind', head: t.claim, names: true, cell: ({ kind }) => t[`claim.${kind}`] },
    { key: 'state', head: t.state, cell: (claim) => claimState(t, claim) },
    {
      key: 'made',
      head: t.claimed,
      from: 768,
      cell: ({ claimedAt }) => (claimedAt === null ? UNKNOWN : minute(claimedAt)),
    },
    { key: 'amount', head: t.amount, align: 'right', cell: ({ amount }) => formatCord(amount) },
  ];
}

function claimState(t: Texts, { claimedAt, pending, refusal }: UserClaim): string {
  if (claimedAt !== null) return pending ? t.claimPending : t.claimed;
  return refusal === null ? t.claimOpen : t[`refusal.${refusal}`];
}
