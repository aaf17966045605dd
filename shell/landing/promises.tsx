import { CalendarCheck, Gauge, Trophy } from 'lucide-react';
import s from './promises.module.css';
import { LANDING_TEXTS } from './texts';

const ICONS = [Gauge, CalendarCheck, Trophy] as const;

/** What the page promises (spec part 1). */
export function Promises() {
  return (
    <section className={s.promises} aria-label="What you can do">
      {LANDING_TEXTS.promises.map(({ title, text }, index) => {
        const Icon = ICONS[index] ?? Gauge;
        return (
          <div key={title}>
            <Icon size={24} className={s.icon} aria-hidden="true" />
            <h3 className={s.title}>{title}</h3>
            <p className={s.text}>{text}</p>
          </div>
        );
      })}
    </section>
  );
}
