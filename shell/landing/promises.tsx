import { useRuleBook, useTexts } from '@cord/sdk';
import { formatExact } from '@cord/ui';
import { CalendarCheck, Gauge, Trophy } from 'lucide-react';
import s from './promises.module.css';
import { LANDING_TEXTS } from './texts';

/** What the page promises. */
export function Promises() {
  const t = useTexts(LANDING_TEXTS);
  const { checkinMicro, streakMostMicro } = useRuleBook();
  const checkin = { reward: formatExact(checkinMicro, 6), bonus: formatExact(streakMostMicro, 6) };
  const promises = [
    { Icon: Gauge, title: t.promiseMine, text: t.promiseMineText },
    { Icon: CalendarCheck, title: t.promiseTasks, text: t.promiseTasksText(checkin) },
    { Icon: Trophy, title: t.promiseRankings, text: t.promiseRankingsText },
  ];
  return (
    <section className={s.promises} aria-label={t.promisesLabel}>
      {promises.map(({ Icon, title, text }) => (
        <div key={title}>
          <Icon size={24} className="c-accent" aria-hidden="true" />
          <h3 className={s.title}>{title}</h3>
          <p className={s.text}>{text}</p>
        </div>
      ))}
    </section>
  );
}
