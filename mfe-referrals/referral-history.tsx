import { COPY_FEEDBACK_MS } from '@cord/contracts/rules/timings';
import { Avatar, Badge, Button, Card, EmptyState, formatCord, Table, WaitingBadge } from '@cord/ui';
import { Check } from 'lucide-react';
import { useState } from 'react';
import s from './referral-history.module.css';
import { TEXTS } from './texts';
import type { Friend } from './use-referrals';

const MINUTE_MS = 60_000;
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

interface ReferralHistoryProps {
  friends: readonly Friend[];
  /** The own referral link, to be copied while there are no friends. */
  link: string;
}

/** The friends as they joined, and what each has brought. */
export function ReferralHistory({ friends, link }: ReferralHistoryProps) {
  if (friends.length === 0) return <NoFriends link={link} />;
  return (
    <Card title={TEXTS.history} aside={TEXTS.friendsCount(friends.length)} padding="none">
      <div className={s.wide}>
        <Table
          caption={TEXTS.history}
          rows={friends}
          rowKey={({ id }) => id}
          columns={[
            { key: 'friend', head: TEXTS.friend, names: true, cell: (friend) => <Name friend={friend} /> },
            { key: 'joined', head: TEXTS.joined, cell: ({ createdAt }) => day.format(Date.parse(createdAt)) },
            { key: 'bonus', head: TEXTS.bonus, cell: (friend) => <Bonus friend={friend} /> },
            {
              key: 'they',
              head: TEXTS.theyEarned,
              align: 'right',
              cell: ({ referredUser }) => formatCord(referredUser.total_earned),
            },
            { key: 'you', head: TEXTS.youEarned, align: 'right', cell: (friend) => <Earned friend={friend} /> },
          ]}
        />
      </div>
      <ul className={s.narrow}>
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
    </Card>
  );
}

function NoFriends({ link }: { link: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(link);
    setCopied(true);
    setTimeout(() => setCopied(false), COPY_FEEDBACK_MS);
  };
  return (
    <Card title={TEXTS.history}>
      <EmptyState
        title={TEXTS.noFriends}
        action={
          <Button size="sm" onClick={() => void copy().catch(() => setCopied(false))}>
            {copied ? TEXTS.copied : TEXTS.copyLink}
          </Button>
        }
      >
        {TEXTS.noFriendsText}
      </EmptyState>
    </Card>
  );
}

function Name({ friend: { referredUser } }: { friend: Friend }) {
  return (
    <span className={s.name}>
      <Avatar name={referredUser.username} src={referredUser.avatar} size={32} />
      <span className={s.text} title={referredUser.username}>
        {referredUser.username}
      </span>
    </span>
  );
}

function Earned({ friend }: { friend: Friend }) {
  return <strong className={s.earned}>{formatCord(friend.totalEarnings, { signed: true })}</strong>;
}

/** The 86 CORD of this friend: paid, on the way, on hold, or not to be had. */
function Bonus({ friend }: { friend: Friend }) {
  if (friend.bonusStatus === 'credited') {
    return (
      <Badge tone="live" icon={<Check size={16} aria-hidden="true" />}>
        {TEXTS.bonusPaid}
      </Badge>
    );
  }
  if (friend.bonusStatus === 'pending') {
    return <WaitingBadge>{TEXTS.bonusPending(Math.floor(friend.friendRanMs / MINUTE_MS))}</WaitingBadge>;
  }
  if (friend.bonusStatus === 'held') return <WaitingBadge>{TEXTS.bonusHeld}</WaitingBadge>;
  return <Badge>{TEXTS.bonusRefused}</Badge>;
}
