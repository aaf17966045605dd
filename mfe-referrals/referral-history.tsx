import { formatDate, useTexts } from '@cord/sdk';
import {
  Avatar,
  Badge,
  Button,
  Card,
  EmptyState,
  formatCord,
  formatCount,
  Row,
  Table,
  useCopied,
  VisuallyHidden,
  WaitingBadge,
} from '@cord/ui';
import { Check } from 'lucide-react';
import { nameOf } from './name-of';
import { useReferralLink } from './own-code';
import s from './referral-history.module.css';
import { TEXTS } from './texts';
import type { Friend } from './use-referrals';

const MINUTE_MS = 60_000;
interface ReferralHistoryProps {
  /** The newest friends. */
  friends: readonly Friend[];
  /** Number of friends who have joined. */
  joined: number;
  /** The user's own code, whose link can be copied while there are no friends. */
  code: string;
}

/** The friends in order of joining, with their earnings for the user. */
export function ReferralHistory({ friends, joined, code }: ReferralHistoryProps) {
  const t = useTexts(TEXTS);
  if (friends.length === 0) return <NoFriends code={code} />;
  return (
    <Card title={t.history} aside={t.friendsCount({ count: Math.max(joined, friends.length) })} padding="none">
      <div className="l-from768">
        <Table
          caption={t.history}
          rows={friends}
          rowKey={({ id }) => id}
          columns={[
            { key: 'friend', head: t.friend, names: true, cell: (friend) => <Name friend={friend} /> },
            { key: 'joined', head: t.joined, cell: ({ createdAt }) => formatDate(Date.parse(createdAt)) },
            { key: 'bonus', head: t.bonus, cell: (friend) => <Bonus friend={friend} /> },
            {
              key: 'they',
              head: t.theyEarned,
              align: 'right',
              cell: ({ referredUser }) => formatCord(referredUser.total_earned),
            },
            { key: 'you', head: t.youEarned, align: 'right', cell: (friend) => <Earned friend={friend} /> },
          ]}
        />
      </div>
      <ul className="l-below768">
        {friends.map((friend) => (
          <li key={friend.id} className={s.row}>
            <Name friend={friend} />
            <Earned friend={friend} />
            <span className={s.bonus}>
              <Bonus friend={friend} />
            </span>
          </li>
        ))}
      </ul>
      {joined > friends.length && (
        <p className={s.rest}>{t.newestOf({ listed: formatCount(friends.length), count: formatCount(joined) })}</p>
      )}
    </Card>
  );
}

function NoFriends({ code }: { code: string }) {
  const t = useTexts(TEXTS);
  const link = useReferralLink(code);
  const { state, copy } = useCopied();
  const result = state === 'copied' ? t.copied : state === 'failed' ? t.copyRefused : null;
  return (
    <Card title={t.history}>
      <EmptyState
        title={t.noFriends}
        action={
          <>
            <Button size="sm" onClick={() => void copy(link)}>
              {result ?? t.copyLink}
            </Button>
            <VisuallyHidden role="status">{result}</VisuallyHidden>
          </>
        }
      >
        {t.noFriendsText}
      </EmptyState>
    </Card>
  );
}

function Name({ friend: { referredUser } }: { friend: Friend }) {
  const t = useTexts(TEXTS);
  const name = nameOf(t, referredUser.username);
  return (
    <Row as="span" gap={12} align="center" className="l-narrow t-600">
      <Avatar name={name} src={referredUser.avatar} size={32} />
      <span className="t-cut" title={name}>
        {name}
      </span>
    </Row>
  );
}

function Earned({ friend }: { friend: Friend }) {
  return <strong className="t-600">{formatCord(friend.totalEarnings, { signed: true })}</strong>;
}

/** The bonus of 86 CORD for this friend: paid, pending, on hold, or unavailable. */
function Bonus({ friend }: { friend: Friend }) {
  const t = useTexts(TEXTS);
  if (friend.bonusStatus === 'credited') {
    return (
      <Badge tone="live" icon={<Check size={16} />}>
        {t.bonusPaid}
      </Badge>
    );
  }
  if (friend.bonusStatus === 'pending') {
    return <WaitingBadge>{t.bonusPending({ minutes: Math.floor(friend.friendRanMs / MINUTE_MS) })}</WaitingBadge>;
  }
  if (friend.bonusStatus === 'held') return <WaitingBadge>{t.bonusHeld}</WaitingBadge>;
  return <Badge>{t.bonusRefused}</Badge>;
}
