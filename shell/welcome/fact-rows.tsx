import { Fact } from '@cord/ui';
import s from './welcome-popup.module.css';

interface Line {
  label: string;
  value: string;
}

/** Lines of facts, with their total under a rule. */
export function FactRows({ rows, total }: { rows: readonly Line[]; total: Line & { unit: string } }) {
  return (
    <dl className={s.facts}>
      {rows.map(({ label, value }) => (
        <Fact key={label} name={label}>
          {value}
        </Fact>
      ))}
      <Fact name={total.label} className={s.total}>
        <span className="t-n24">{total.value}</span> <span className="c-2">{total.unit}</span>
      </Fact>
    </dl>
  );
}
