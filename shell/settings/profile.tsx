import { useSession } from '@cord/sdk';
import { Avatar, formatAge, formatCord, formatMultiplier, UNKNOWN } from '@cord/ui';
import { formatDate } from '../app/dates';
import { Section } from './section';
import s from './settings.module.css';

/** Profile information: what Discord and the ledger say of the user. */
export function Profile() {
  const { user } = useSession();
  if (user === null) return null;
  const facts = [
    ['Account age', formatAge(user.account_age)],
    ['Multiplier', formatMultiplier(user.multiplier)],
    ['Joined', formatDate(Date.parse(user.join_date))],
    ['Total earned', `${formatCord(user.total_earned)} CORD`],
    ['Referral code', user.referralCode ?? UNKNOWN],
    ['Badge of Honor', user.hasbadgeofhonor ? 'Owned' : 'Not owned'],
  ] as const;
  return (
    <Section title="Profile information" text="Read from Discord at every sign-in.">
      <div className={s.person}>
        <Avatar name={user.username} src={user.avatar} size={56} />
        <p className={s.name}>{user.username}</p>
      </div>
      <dl className={s.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
