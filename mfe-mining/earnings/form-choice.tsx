import { useTexts } from '@cord/sdk';
import { ChartColumn, Table2 } from 'lucide-react';
import { useId } from 'react';
import s from './form-choice.module.css';
import { EARNINGS_TEXTS } from './texts';

export const FORMS = ['chart', 'table'] as const;
export type Form = (typeof FORMS)[number];

const ICONS = { chart: ChartColumn, table: Table2 } as const;

/** Choice of Chart | Table. */
export function FormChoice({ value, onChange }: { value: Form; onChange(form: Form): void }) {
  const t = useTexts(EARNINGS_TEXTS);
  const name = useId();
  return (
    <div role="radiogroup" aria-label={t.formLabel} className={s.forms}>
      {FORMS.map((form) => {
        const Icon = ICONS[form];
        return (
          <label key={form} className={s.form}>
            <input
              type="radio"
              className="l-held l-cover"
              name={name}
              checked={form === value}
              onChange={() => onChange(form)}
            />
            <Icon size={16} aria-hidden="true" />
            {t[`form.${form}`]}
          </label>
        );
      })}
    </div>
  );
}
