import { useTexts } from '@cord/sdk';
import s from './check-view.module.css';
import { CHECK_TEXTS } from './texts';

const LIMITS = [
  'limits1',
  'limits2',
  'limits3',
  'limits4',
  'limits5',
  'limits6',
  'limits7',
  'limits8',
  'limits9',
] as const;

/** What nobody learns from a check that holds. */
export function Limits() {
  const t = useTexts(CHECK_TEXTS);
  return (
    <details className={s.limits}>
      <summary>{t.limits}</summary>
      <ul className={s.list}>
        {LIMITS.map((key) => (
          <li key={key}>{t[key]}</li>
        ))}
      </ul>
    </details>
  );
}
