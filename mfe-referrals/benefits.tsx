import { Card } from '@cord/ui';
import { Gift, Infinity as NoLimit, Percent, Sprout } from 'lucide-react';
import s from './benefits.module.css';
import { TEXTS } from './texts';

const ROWS = [
  { Icon: Percent, title: TEXTS.benefitLife, text: TEXTS.benefitLifeText },
  { Icon: Gift, title: TEXTS.benefitBonus, text: TEXTS.benefitBonusText },
  { Icon: Sprout, title: TEXTS.benefitFriend, text: TEXTS.benefitFriendText },
  { Icon: NoLimit, title: TEXTS.benefitNoLimit, text: TEXTS.benefitNoLimitText },
];

/** What a referral brings (decisions, Interface). */
export function Benefits() {
  return (
    <Card title={TEXTS.benefits}>
      <ul className={s.list}>
        {ROWS.map(({ Icon, title, text }) => (
          <li key={title} className={s.row}>
            <Icon size={20} aria-hidden="true" />
            <div>
              <p className="t-strong">{title}</p>
              <p className="t-label">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
