import { Lazy, lazyFile, useTabChoice, useTexts } from '@cord/sdk';
import {
  Avatar,
  Badge,
  Card,
  Cell,
  Cells,
  ChipGroup,
  formatCord,
  formatCount,
  formatMultiplier,
  formatRate,
  MiningBadge,
  Row,
  Stack,
  TabErrorPanel,
  UNKNOWN,
  WarningBadge,
} from '@cord/ui';
import { levelNameOf } from '../network/changes';
import { TEXTS as NETWORK_TEXTS } from '../network/texts';
import { useAccount, useUserNetwork } from '../network/use-network';
import { dayOfYear, useMoments } from '../room/moments';
import { Opened } from '../room/opened';
import { ActButtons, ActPanel, useActs } from './acts';
import { LedgerPart } from './ledger-part';
import { MiningPart } from './mining-part';
import { NetworkCard } from './network-card';
import { partLoading } from './part';
import { CasesPart, SessionsPart } from './parts';
import { ClaimsPart, OrdersPart } from './rewards-parts';
import { TEXTS } from './texts';
import { useUserLedger, useUserSessions } from './use-users';
import s from './users.module.css';

/** The texts of all that operators do come with it. */
const TRAIL = lazyFile(() => import('../audit/trail').then(({ Trail }) => Trail));

const PARTS = ['ledger', 'mining', 'orders', 'claims', 'cases', 'signins', 'trail'] as const;

export type Account = NonNullable<ReturnType<typeof useAccount>['data']>;

interface UserPageProps {
  id: string;
  onBack: () => void;
}

/** One account in whichever state it is: loading, failed, gone, or there. */
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
          <p className="t-note">{t.joinedAt({ day: joinedOf(account) })} </p>
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

/** When the account was opened here; it may come from a newer service. */
function joinedOf({ join_date: at }: Account): string {
  return typeof at === 'string' ? dayOfYear(at) : UNKNOWN;
}

/** What an operator sees at once of an account. */
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

/** The record is a user's own; it may come from a newer service, so each part is looked at. */
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

/** Check-ins in a row; absent from a release before. */
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
