import { useTexts } from '@cord/sdk';
import { CalendarCheck, Gauge, Trophy } from 'lucide-react';
import s from './promises.module.css';
import { LANDING_TEXTS } from './texts';

const PROMISES = [
  { Icon: Gauge, title: 'promiseMine', text: 'promiseMineText' },
  { Icon: CalendarCheck, title: 'promiseTasks', text: 'promiseTasksText' },
  { Icon: Trophy, title: 'promiseRankings', text: 'promiseRankingsText' },
] as const;

/** What the page promises. */
export function Promises() {
  const t = useTexts(LANDING_TEXTS);
  return (
    <section className={s.promises} aria-label={t.promisesLabel}>
      {PROMISES.map(({ Icon, title, text }) => (
        <div key={title}>
          <Icon size={24} className={s.icon} aria-hidden="true" />
          <h3 className={s.title}>{t[title]}</h3>
          <p className={s.text}>{t[text]}</p>
        </div>
      ))}
    </section>
  );
}
