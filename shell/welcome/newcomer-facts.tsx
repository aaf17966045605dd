import type { User } from '@cord/contracts/http/users';
import { formatAge, formatCord, formatMultiplier } from '@cord/ui';
import type { Welcome } from '../session/startup';
import { FactRows } from './fact-rows';
import { WELCOME_TEXTS } from './texts';
import s from './welcome-popup.module.css';

/** A newcomer: why the rate is what it is, and what was really credited. */
export function NewcomerFacts({ user, facts }: { user: User; facts: Welcome }) {
  const bonus = facts.referralBonus ?? 0;
  const invited = user.referred_by !== null || bonus > 0;
  const amount = (cord: number) => (facts.pending && cord === 0 ? WELCOME_TEXTS.onItsWay : formatCord(cord));
  return (
    <>
      <h2 className={s.title}>{WELCOME_TEXTS.newTitle(user.username)}</h2>
      <p className={s.text}>{WELCOME_TEXTS.newText(formatAge(user.account_age), formatMultiplier(user.multiplier))}</p>
      <FactRows
        rows={[
          { label: WELCOME_TEXTS.welcomeCredit, value: amount(facts.credited) },
          ...(invited
            ? [
                {
                  label: WELCOME_TEXTS.invited(user.referred_by),
                  value: facts.referralBonus === null ? WELCOME_TEXTS.onItsWay : amount(bonus),
                },
              ]
            : []),
        ]}
        total={{ label: WELCOME_TEXTS.added, value: formatCord(facts.credited + bonus), unit: 'CORD' }}
      />
    </>
  );
}
