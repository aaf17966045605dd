import { Fact } from '@cord/ui';
import s from './facts.module.css';

/** A term and its value. */
export type FactLine = readonly [term: string, value: string];

/** Facts of one thing, one line each. */
export function Facts({ facts }: { facts: readonly FactLine[] }) {
  return (
    <dl className={s.facts}>
      {facts.map(([term, value]) => (
        <Fact key={term} name={term} number>
          {value}
        </Fact>
      ))}
    </dl>
  );
}
