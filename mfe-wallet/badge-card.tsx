import { rewardEndpoints } from '@cord/contracts/http/rewards';
import { BADGE_PRICE_LAMPORTS } from '@cord/contracts/rules/bonuses';
import { SOL_PRICE_REFRESH_MS } from '@cord/contracts/rules/timings';
import { type PartProps, useQuery, useSdk, useServerNow, useSession } from '@cord/sdk';
import { Card, formatSol, formatUsdQuote, HonorBadge, Notice, PurchaseButton } from '@cord/ui';
import { Check, CircleAlert, Medal } from 'lucide-react';
import s from './badge-card.module.css';
import { OrderDialog } from './order-dialog';
import { TEXTS } from './texts';
import { usePurchase } from './use-purchase';

/** The Badge of Honor on the dashboard: what it brings and what it costs, or that it is owned. */
export function BadgeCard(_props: PartProps) {
  const { user } = useSession();
  return user?.hasbadgeofhonor ? <Owned /> : <Offer />;
}

function Offer() {
  const purchase = usePurchase();
  return (
    <Card
      title={TEXTS.badgeTitle}
      aside={<Medal size={24} className={s.medal} aria-hidden="true" />}
      className={s.card}
    >
      <Advantages />
      <Price />
      {purchase.error !== null && (
        <Notice tone="danger" look="inline" icon={<CircleAlert />} title={TEXTS.purchaseFailed} announce>
          {purchase.error}
        </Notice>
      )}
      <div className={s.buy}>
        <PurchaseButton state={purchase.state} idleText={TEXTS.purchase} block onClick={purchase.begin} />
      </div>
      {purchase.order !== null && <OrderDialog order={purchase.order} onClose={purchase.leave} />}
    </Card>
  );
}

function Advantages() {
  return (
    <ul className={s.list}>
      {TEXTS.advantages.map((advantage) => (
        <li key={advantage} className={s.row}>
          <Check size={18} aria-hidden="true" />
          {advantage}
        </li>
      ))}
    </ul>
  );
}

const LAMPORTS_PER_SOL = 1e9;

/** The price in SOL, and about what that is in USD: the quote of the server with its age. */
function Price() {
  const { api } = useSdk();
  const nowMs = useServerNow();
  const { data } = useQuery({
    queryKey: ['sol-price'],
    queryFn: ({ signal }) => api.call(rewardEndpoints.solPrice, { signal }),
    refetchInterval: SOL_PRICE_REFRESH_MS,
    staleTime: SOL_PRICE_REFRESH_MS,
  });
  const usd = data === undefined ? null : (data.usd * Number(BADGE_PRICE_LAMPORTS)) / LAMPORTS_PER_SOL;
  const agoMs = data === undefined ? null : Math.max(0, nowMs - Date.parse(data.at));
  return (
    <p className={s.price}>
      <span className="t-n24">{formatSol(BADGE_PRICE_LAMPORTS)}</span>
      <span className={s.usd}>{usd === null ? TEXTS.unknownPrice : formatUsdQuote(usd, agoMs, data?.estimate)}</span>
    </p>
  );
}

function Owned() {
  return (
    <Card title={TEXTS.ownedTitle} aside={<HonorBadge>{TEXTS.active}</HonorBadge>} className={s.card}>
      <p className={s.text}>{TEXTS.ownedText}</p>
      <Advantages />
    </Card>
  );
}
