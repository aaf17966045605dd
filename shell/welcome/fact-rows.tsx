import s from './welcome-popup.module.css';

interface Fact {
  label: string;
  value: string;
}

/** Lines of what happened, and their sum under a rule. */
export function FactRows({ rows, total }: { rows: readonly Fact[]; total: Fact & { unit: string } }) {
  return (
    <dl className={s.facts}>
      {rows.map(({ label, value }) => (
        <div key={label} className={s.fact}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      <div className={s.total}>
        <dt>{total.label}</dt>
        <dd>
          <span className="t-n24">{total.value}</span> <span className={s.unit}>{total.unit}</span>
        </dd>
      </div>
    </dl>
  );
}
