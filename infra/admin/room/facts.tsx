import s from './facts.module.css';

/** A term, and what it is. */
export type Fact = readonly [term: string, value: string];

/** Facts of one thing, a line each. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={s.facts}>
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd data-number>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
