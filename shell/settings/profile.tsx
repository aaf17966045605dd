import { formatDate, useSessionValue, useTexts } from '@cord/sdk';
import { Avatar, formatAge, formatCord, formatMultiplier, Row, UNKNOWN } from '@cord/ui';
import { Place } from '../parts/place';
import { Section } from './section';
import s from './settings.module.css';
import { SETTINGS_TEXTS } from './texts';

/** Profile information: what Discord and the ledger show of the user. */
export function Profile() {
  const t = useTexts(SETTINGS_TEXTS);
  const user = useSessionValue(({ user }) => user);
  if (user === null) return null;
  const facts = [
    [t.accountAge, formatAge(user.account_age)],
    [t.multiplier, formatMultiplier(user.multiplier)],
    [t.joined, formatDate(Date.parse(user.join_date))],
    [t.totalEarned, t.amount({ amount: formatCord(user.total_earned) })],
    [t.referralCode, user.referralCode ?? UNKNOWN],
    [t.badge, user.hasbadgeofhonor ? t.badgeOwned : <NotOwned key="badge" />],
  ] as const;
  return (
    <Section title={t.profile} text={t.profileText}>
      <Row gap={16} align="center">
        <Avatar name={user.username} src={user.avatar} size={56} />
        <p className="t-h3 t-break">{user.username}</p>
      </Row>
      <dl className={s.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt className="t-label">{label}</dt>
            <dd className="t-strong">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

/** Not owned, and the way to buy it. */
function NotOwned() {
  const t = useTexts(SETTINGS_TEXTS);
  return (
    <Row as="span" inline gap="2px 12px" wrap>
      {t.badgeNotOwned}
      <Place name="settings.profile" size="compact" />
    </Row>
  );
}
