import type { ReactNode } from 'react';
import s from './WhyNumber.module.css';
import { WhyPopover } from './WhyPopover';

export interface WhyInput {
  label: ReactNode;
  /** Already formatted. */
  value: ReactNode;
}

export interface WhyNumberProps {
  /** What is asked about; the button says "Why this number? Rank". */
  about: string;
  /** How the number is made, in one or two sentences. */
  formula: ReactNode;
  /** What goes into it. */
  inputs?: readonly WhyInput[] | undefined;
  /** What stands behind it: entries of the ledger, a table. */
  children?: ReactNode;
  width?: number | undefined;
}

/** "Why this number?" for any number: its formula, its inputs, and what stands behind it. */
export function WhyNumber({ about, formula, inputs = [], children, width }: WhyNumberProps) {
  return (
    <WhyPopover about={about} width={width}>
      <p>{formula}</p>
      {inputs.length > 0 && (
        <dl className={s.inputs}>
          {inputs.map(({ label, value }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the inputs of one number keep their order
            <div key={index}>
              <dt>{label}</dt>
              <dd data-number>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {children}
    </WhyPopover>
  );
}
