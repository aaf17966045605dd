import * as rewardEndpoints from '@cord/contracts/addresses/rewards';
import { BADGE_PRICE_LAMPORTS } from '@cord/contracts/rules/bonuses';
import { badgePercent } from '@cord/contracts/rules/rule-book';
import { SOL_PRICE_REFRESH_MS } from '@cord/contracts/rules/timings';
import {
  formatDate,
  LIVE_SOON_MS,
  type PartProps,
  useQuery,
  useRate,
  useRuleBook,
  useSdk,
  useServerNow,
  useSessionValue,
  useTexts,
  useUserId,
} from '@cord/sdk';
import {
  Card,
  formatPercent,
  formatRate,
  formatSol,
  formatUsdQuote,
  HonorBadge,
  LinkButton,
  Notice,
  Row,
  Stack,
  shortenAddress,
} from '@cord/ui';
import { Check, CircleAlert, CircleCheck, Hourglass, Medal } from 'lucide-react';
import s from './badge-card.module.css';
import { LAMPORTS_PER_SOL } from './hand-in';
import { isInDoubt, isUnderway, type Order, useRefunds } from './orders';
import { PurchaseAction } from './purchase-button';
import { REASONS, reasonText } from './reason-texts';
import { TEXTS } from './texts';
import { usePurchase as usePurchaseView } from './use-front';
import { type Purchase, usePurchase } from './use-purchase';

/** The Badge of Honor on the dashboard: benefits and price, or that the user owns it. */
export function BadgeCard(_props: PartProps) {
  const isOwned = useSessionValue(({ user }) => user?.hasbadgeofhonor);
  // The card changes only after the button has shown Success.
  const bought = usePurchaseView().state === 'success';
  return isOwned && !bought ? <Owned /> : <Offer />;
}

function Offer() {
  const t = useTexts(TEXTS);
  const purchase = usePurchase();
  return (
    <Card title={t.badgeTitle} aside={<Medal size={24} className="c-honor" />} className={s.card}>
      <Advantages />
      <PaymentNotice purchase={purchase} />
      <RefundNotices />
      <Price />
      <Row>
        <PurchaseAction state={purchase.state} idleText={t.purchase} block onClick={purchase.begin} />
      </Row>
    </Card>
  );
}

function Advantages() {
  const t = useTexts(TEXTS);
  const percent = formatPercent(badgePercent(useRuleBook()));
  const rate = t.advantageRate({ percent });
  return (
    <Stack as="ul" gap={8}>
      {[rate, t.advantageSupport, t.advantageDisplay, t.advantageClaim].map((advantage) => (
        <Row as="li" gap={10} align="center" key={advantage} className="c-2">
          <Check size={18} className="c-honor" />
          {advantage}
        </Row>
      ))}
    </Stack>
  );
}

/** @param usd price of one SOL */
const usdOf = (lamports: number, usd: number) => (usd * lamports) / LAMPORTS_PER_SOL;

/** The price of an order, lamports: the operator's price, or the default of the contract until it is loaded. */
function useBadgePrice(): number {
  const { api } = useSdk();
  const { data } = useQuery({
    queryKey: ['wallet-settings'],
    queryFn: ({ signal }) => api.call(rewardEndpoints.walletSettings, { signal }),
    // Once loaded, the price does not change; until then it may differ.
    refetchInterval: ({ state }) => (state.data === undefined ? SOL_PRICE_REFRESH_MS : false),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data?.lamports ?? Number(BADGE_PRICE_LAMPORTS);
}

/** The price in SOL with its approximate value in USD: the server's quote with its age. */
function Price() {
  const { api } = useSdk();
  const t = useTexts(TEXTS);
  const nowMs = useServerNow();
  const lamports = useBadgePrice();
  const { data, isFetched, isPaused } = useQuery({
    queryKey: ['sol-price'],
    queryFn: ({ signal }) => api.call(rewardEndpoints.solPrice, { signal }),
    refetchInterval: SOL_PRICE_REFRESH_MS,
    staleTime: SOL_PRICE_REFRESH_MS,
  });
  return (
    <p className={s.price}>
      <span className="t-n24">{formatSol(lamports)}</span>
      <span className="t-label">
        {data && formatUsdQuote(usdOf(lamports, data.usd), Math.max(0, nowMs - Date.parse(data.at)), data.estimate)}
        {!data && (isFetched || isPaused) && t.unknownPrice}
      </span>
    </p>
  );
}

function Owned() {
  const { api } = useSdk();
  const userId = useUserId() ?? '';
  const t = useTexts(TEXTS);
  const { data } = useQuery({
    queryKey: ['badge-purchases', userId],
    meta: { live: { orders: LIVE_SOON_MS } },
    queryFn: ({ signal }) => api.call(rewardEndpoints.purchases, { params: { id: userId }, signal }),
    enabled: userId !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  const since = data?.[0]?.purchasedAt;
  const rate = formatRate(useRate()?.perMinute);
  return (
    <Card title={t.ownedTitle} aside={<HonorBadge>{t.active}</HonorBadge>} className={s.card}>
      <p className="c-2">
        {since === undefined ? t.ownedRate({ rate }) : t.ownedSince({ day: formatDate(Date.parse(since)), rate })}
      </p>
      <Advantages />
      <RefundNotices />
    </Card>
  );
}

/** The notice beside the button: a payment in progress, or a failed one. */
function PaymentNotice({ purchase }: { purchase: Purchase }) {
  const t = useTexts(TEXTS);
  const reasons = useTexts(REASONS);
  const { order } = purchase;
  // A pending order with a reason was tried before: its payment did not arrive, or is in doubt.
  const isLost = order?.status === 'pending' && !isInDoubt(order);
  const error = purchase.error ?? (isLost ? reasonText(reasons, order) : null);
  if (error !== null) {
    return (
      <Notice
        tone={purchase.declined ? 'plain' : 'danger'}
        look="inline"
        icon={<CircleAlert />}
        title={purchase.declined ? t.declined : t.purchaseFailed}
        announce
        testId={purchase.declined ? 'purchase-declined' : 'purchase-failed'}
      >
        <p className={s.text}>{error}</p>
        {purchase.otherWallet && <LinkButton onClick={purchase.changeWallet}>{t.changeWallet}</LinkButton>}
      </Notice>
    );
  }
  return order && (isUnderway(order) || isInDoubt(order)) ? <Underway order={order} show={purchase.showOrder} /> : null;
}

function Underway({ order, show }: { order: Order; show: () => void }) {
  const t = useTexts(TEXTS);
  const reason = reasonText(useTexts(REASONS), order);
  const unknown = isInDoubt(order);
  return (
    <Notice
      tone="warn"
      look="inline"
      icon={<Hourglass />}
      title={unknown ? t.orderUnknown : t.orderChecking}
      announce
      testId="payment-underway"
    >
      <p className={s.text}>{reason ?? (unknown ? t.orderUnknownText : t.orderCheckingText)}</p>
      <LinkButton onClick={show}>{t.showPayment}</LinkButton>
    </Notice>
  );
}

/** Notices about duplicate, late or wrong payments and their refunds. */
function RefundNotices() {
  const t = useTexts(TEXTS);
  const { go } = useSdk().tabs;
  return useRefunds().map(({ id, lamports, walletAddress, status, returnedAt }) => {
    const sol = formatSol(lamports);
    const wallet = shortenAddress(walletAddress);
    if (status === 'returned') {
      const on = formatDate(Date.parse(returnedAt ?? ''));
      return (
        <Notice key={id} tone="plain" look="inline" icon={<CircleCheck />} title={t.refundReturned({ sol })}>
          <p className={s.text}>{t.refundReturnedText({ wallet, day: on })}</p>
        </Notice>
      );
    }
    return (
      <Notice key={id} tone="warn" look="inline" title={t.refundDue({ sol })} testId="payment-refund">
        <p className={s.text}>{t.refundDueText({ wallet })}</p>
        <LinkButton onClick={() => go('settings')}>{t.askSupport}</LinkButton>
      </Notice>
    );
  });
}
