import { useTexts } from '@cord/sdk';
import { Card, Row, Stack } from '@cord/ui';
import { Gift, Infinity as NoLimit, Percent, Sprout } from 'lucide-react';
import s from './benefits.module.css';
import { TEXTS } from './texts';

const ROWS = [
  { Icon: Percent, title: 'benefitLife', text: 'benefitLifeText' },
  { Icon: Gift, title: 'benefitBonus', text: 'benefitBonusText' },
  { Icon: Sprout, title: 'benefitFriend', text: 'benefitFriendText' },
  { Icon: NoLimit, title: 'benefitNoLimit', text: 'benefitNoLimitText' },
] as const;

/** What a referral brings. */
export function Benefits() {
  const t = useTexts(TEXTS);
  return (
    <Card title={t.benefits}>
      <Stack as="ul" className="l-lines">
        {ROWS.map(({ Icon, title, text }) => (
          <Row as="li" key={title} gap={16} className={s.row}>
            <Icon size={20} className="c-accent" aria-hidden="true" />
            <div>
              <p className="t-strong">{t[title]}</p>
              <p className="t-label">{t[text]}</p>
            </div>
          </Row>
        ))}
      </Stack>
    </Card>
  );
}
