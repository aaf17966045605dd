import type { UserNetwork } from '@cord/contracts/http/admin';
import { Lazy, Loaded, lazyFile, type TextsOf, useServerNow, useTabChoice, useTexts } from '@cord/sdk';
import {
  Avatar,
  Badge,
  Card,
  Cell,
  Cells,
  ChipGroup,
  type Column,
  cx,
  formatCord,
  formatCount,
  formatMultiplier,
  formatRate,
  MiningBadge,
  Row,
  Skeleton,
  Stack,
  TabErrorPanel,
  Table,
  UNKNOWN,
  WarningBadge,
} from '@cord/ui';
import { levelNameOf } from '../network/changes';
import { TEXTS as NETWORK_TEXTS } from '../network/texts';
import { useAccount, useUserNetwork } from '../network/use-network';
import { dayOfYear, useMoments } from '../room/moments';
import { Opened } from '../room/opened';
import { shortId } from '../room/short-id';
import { ActButtons, ActPanel, useActs } from './acts';
import { CasesPart, LedgerPart, MiningPart, partLoading, SessionsPart } from './parts';
import { ClaimsPart, OrdersPart } from './rewards-parts';
import { TEXTS } from './texts';
import { useUserLedger, useUserSessions } from './use-users';
import s from './users.module.css';

/** Loaded lazily, because it brings the texts of all acts. */
const TRAIL = lazyFile(() => import('../audit/trail').then(({ Trail }) => Trail));

const PARTS = ['ledger', 'mining', 'orders', 'claims', 'cases', 'signins', 'trail'] as const;

export type Account = NonNullable<ReturnType<typeof useAccount>['data']>;

interface UserPageProps {
  id: string;
  onBack: () => void;
}

/** One account in any state: loading, failed, deleted or loaded. */
export function UserPage({ id, onBack }: UserPageProps) {
  const t = useTexts(TEXTS);
  return (
    <Opened query={useAccount(id)} texts={t} onBack={onBack} testId="account">
      {(data) => <There account={data} />}
    </Opened>
  );
}

function There({ account }: { account: Account }) {
  const t = useTexts(TEXTS);
  const [part, setPart] = useTabChoice('part', PARTS);
  const network = useUserNetwork(account.id);
  const acts = useActs(account, network.data);
  return (
    <>
      <Card className={s.person}>
        <Avatar name={account.username} size={44} />
        <div className={s.texts}>
          <Row as="h2" gap="4px 8px" className="t-h3" align="center" wrap>
            {account.username} <Marks account={account} />
          </Row>
          <p className="t-note">
            <code className={s.code}>{t.notDiscord({ id: account.id })}</code>
          </p>
          <p className="t-note">{t.joinedAt({ day: joinedOf(account) })}</p>
        </div>
        <ActButtons acts={acts} />
      </Card>
      <Figures account={account} />
      <Stack gap={16} className={s.columns}>
        <Card padding="none" className="l-clip" aria-label={t[`part.${part}`]}>
          <div className={s.controls}>
            <ChipGroup
              className={s.parts}
              label={t.parts}
              value={part}
              options={PARTS.map((value) => ({ value, label: t[`part.${value}`] }))}
              onChange={setPart}
            />
          </div>
          {part === 'ledger' && <LedgerPart userId={account.id} />}
          {part === 'mining' && <MiningPart userId={account.id} />}
          {part === 'orders' && <OrdersPart userId={account.id} />}
          {part === 'claims' && <ClaimsPart userId={account.id} />}
          {part === 'signins' && <SessionsPart userId={account.id} />}
          {part === 'cases' && <CasesPart account={account} />}
          {part === 'trail' && <TrailPart userId={account.id} />}
        </Card>
        <Stack gap={16}>
          <NetworkCard network={network} />
          <ActPanel acts={acts} />
        </Stack>
      </Stack>
    </>
  );
}

function TrailPart({ userId }: { userId: string }) {
  const t = useTexts(TEXTS);
  return (
    <Lazy
      of={TRAIL}
      module="mfe_admin"
      part="admin/users/trail"
      props={{ filter: { on: userId }, brief: true }}
      loading={partLoading(320)}
      failed={(again) => <TabErrorPanel compact title={t.trailFailed} {...again} />}
    />
  );
}

/** When the account was created here. The record may come from a newer service. */
function joinedOf({ join_date: at }: Account): string {
  return typeof at === 'string' ? dayOfYear(at) : UNKNOWN;
}

/** The marks of an account: mining, network check, admin. */
function Marks({ account: { is_node_active: mines, anticheat, isAdmin } }: { account: Account }) {
  const t = useTexts(TEXTS);
  const network = useTexts(NETWORK_TEXTS);
  return (
    <>
      {mines === true && <MiningBadge />}
      {anticheat.penaltyLevel > 0 && <WarningBadge>{levelNameOf(network, anticheat)}</WarningBadge>}
      {isAdmin === true && <Badge tone="accent">{t.operator}</Badge>}
    </>
  );
}

/** Figures of an account. The record may come from a newer service, so each part is validated. */
function Figures({ account }: { account: Account }) {
  const t = useTexts(TEXTS);
  const { minute } = useMoments();
  const open = useUserLedger(account.id).data?.open;
  const sessions = useUserSessions(account.id).data?.sessions;
  const lastSeen = sessions
    ?.map(({ lastSeenAt }) => lastSeenAt)
    .sort()
    .at(-1);
  const number = (field: string) => (typeof account[field] === 'number' ? account[field] : null);
  const rank = number('rank');
  const friends = number('totalReferrals');
  const factor = account.anticheat.efficiencyMultiplier;
  return (
    <Cells className={s.figures} columns={3} phoneColumns={2}>
      <Cell
        label={t.balance}
        value={formatCord(number('current_balance'))}
        hint={open === undefined ? undefined : t.balanceOf({ open: formatCord(open) })}
      />
      <Cell
        label={t.rate}
        value={formatRate(number('rate'))}
        hint={factor < 1 ? t.rateAt({ factor: formatMultiplier(factor) }) : t.rateWhole}
      />
      <Cell label={t.rank} value={rank === null ? UNKNOWN : t.rankAt({ n: formatCount(rank) })} hint={t.rankHint} />
      <Streak streak={account.streak} />
      <Cell label={t.friends} value={friends === null ? UNKNOWN : formatCount(friends)} />
      <Cell
        label={t.sessions}
        value={sessions && formatCount(sessions.length)}
        hint={lastSeen && t.lastSeen({ time: minute(lastSeen) })}
      />
    </Cells>
  );
}

/** Check-ins in a row. An older release does not send it. */
function Streak({ streak }: { streak: unknown }) {
  const t = useTexts(TEXTS);
  const { days, today } = (streak ?? {}) as { days?: unknown; today?: unknown };
  return (
    <Cell
      label={t.streak}
      value={typeof days === 'number' ? formatCount(days) : UNKNOWN}
      hint={today === true ? t.checkedIn : t.notCheckedIn}
    />
  );
}

type Address = UserNetwork['addresses'][number];

const HOUR_MS = 3_600_000;
/** Maximum interval at which a running node publishes its address, ms. */
const NOW_MS = 15 * 60_000;

/** Addresses where an account mined within 30 days, as keyed hashes. */
function NetworkCard({ network }: { network: ReturnType<typeof useUserNetwork> }) {
  const t = useTexts(TEXTS);
  const nowMs = useServerNow();
  const { day, when } = useMoments();
  /** `now` while the node saves from there, otherwise the day. */
  const lastOf = (at: string) => (nowMs - Date.parse(at) < NOW_MS ? t.now : day(at));
  const columns: Column<Address>[] = [
    {
      key: 'address',
      head: t.address,
      names: true,
      cell: ({ key, counts, shared }) => (
        <Row as="span" inline gap="4px 8px" align="center" wrap className="t-break">
          <code className={cx(s.code, counts && s.counts)}>{shortId(key)}</code>
          {shared && <Badge tone="sky">{t.shared}</Badge>}
        </Row>
      ),
    },
    { key: 'accounts', head: t.accounts, align: 'right', cell: ({ users }) => formatCount(users) },
    {
      key: 'mined',
      head: t.mined,
      align: 'right',
      cell: ({ minedMs }) => t.hours({ n: formatCount(Math.floor(minedMs / HOUR_MS)) }),
    },
    { key: 'last', head: t.last, align: 'right', cell: ({ lastMinedAt }) => lastOf(lastMinedAt) },
  ];
  const loading = (
    <div className={s.loading}>
      <Skeleton height={120} />
    </div>
  );
  return (
    <Card title={t.record} aside={t.days} padding="none" className="l-clip">
      <Loaded query={network} failed={t.recordFailed} loading={loading}>
        {({ addresses, checkedAt, cleared }) => (
          <>
            {addresses.length > 0 && (
              <Table dense caption={t.record} columns={columns} rows={addresses} rowKey={({ key }) => key} />
            )}
            <p className={cx('t-note', s.note)}>
              {countedIn(t, addresses)} {t.checked({ time: when(checkedAt) })}
              {cleared && ` ${t.cleared}.`}
            </p>
          </>
        )}
      </Loaded>
    </Card>
  );
}

function countedIn(t: TextsOf<typeof TEXTS>, addresses: readonly Address[]): string {
  const counted = addresses.find(({ counts }) => counts);
  return counted ? t.countedAt({ key: shortId(counted.key) }) : t.nowhere;
}
