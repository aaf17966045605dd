import type { User } from '@cord/contracts/http/users';
import { useTexts } from '@cord/sdk';
import { formatAge, formatCord, formatMultiplier } from '@cord/ui';
import type { Welcome } from '../session/startup';
import { FactRows } from './fact-rows';
import { WELCOME_TEXTS } from './texts';
import s from './welcome-popup.module.css';

/** A newcomer: why the rate is what it is, and what was really credited. */
export function NewcomerFacts({ user, facts }: { user: User; facts: Welcome }) {
  const t = useTexts(WELCOME_TEXTS);
  const bonus = facts.referralBonus ?? 0;
  const invited = user.referred_by !== null || bonus > 0;
  const amount = (cord: number) => (facts.pending && cord === 0 ? t.onItsWay : formatCord(cord));
  return (
    <>
      <h2 className={s.title}>{t.newTitle({ name: user.username })}</h2>
      <p className={s.text}>
        {t.newText({ age: formatAge(user.account_age), multiplier: formatMultiplier(user.multiplier) })}
      </p>
      <FactRows
        rows={[
          { label: t.welcomeCredit, value: amount(facts.credited) },
          ...(invited
            ? [
                {
                  label: user.referred_by === null ? t.invited : t.invitedBy({ referrer: user.referred_by }),
                  value: facts.referralBonus === null ? t.onItsWay : amount(bonus),
                },
              ]
            : []),
        ]}
        total={{ label: t.added, value: formatCord(facts.credited + bonus), unit: 'CORD' }}
      />
    </>
  );
}
