import type { ReactNode } from 'react';
import { cx } from '../class-names';
import s from './fact.module.css';

export interface FactProps {
  /** The term. */
  name: ReactNode;
  /** The value is a number: it is marked as stale while the server is unreachable. */
  number?: boolean | undefined;
  className?: string | undefined;
  /** The value. */
  children: ReactNode;
}

/** A line of a `dl`: the term, and its value at the end. */
export function Fact({ name, number = false, className, children }: FactProps) {
  return (
    <div className={cx(s.fact, className)}>
      <dt>{name}</dt>
      <dd data-number={number || undefined}>{children}</dd>
    </div>
  );
}
