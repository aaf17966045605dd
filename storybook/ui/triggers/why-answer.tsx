import type { ReactNode } from 'react';
import { Fact } from '../surfaces/fact';
import s from './why-answer.module.css';

export interface WhyInput {
  label: ReactNode;
  /** Already formatted. */
  value: ReactNode;
}

export interface WhyAnswerProps {
  /** How the number is made, in one or two sentences. */
  formula: ReactNode;
  /** What goes into it. */
  inputs?: readonly WhyInput[] | undefined;
  /** What stands behind it: entries of the ledger, a table. */
  children?: ReactNode;
}

/** What a number is made of: its formula, its inputs, and what stands behind it. */
export function WhyAnswer({ formula, inputs = [], children }: WhyAnswerProps) {
  return (
    <>
      <p>{formula}</p>
      {inputs.length > 0 && (
        <dl className={s.inputs}>
          {inputs.map(({ label, value }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the inputs of one number keep their order
            <Fact key={index} name={label} number>
              {value}
            </Fact>
          ))}
        </dl>
      )}
      {children}
    </>
  );
}
