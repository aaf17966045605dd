import type { ReactNode } from 'react';
import { Fact } from '../surfaces/fact';
import s from './why-answer.module.css';

export interface WhyInput {
  label: ReactNode;
  /** Already formatted. */
  value: ReactNode;
}

export interface WhyAnswerProps {
  /** The formula of the number, in one or two sentences. */
  formula: ReactNode;
  /** The inputs of the formula. */
  inputs?: readonly WhyInput[] | undefined;
  /** The data behind the number: entries of the ledger, a table. */
  children?: ReactNode;
}

/** The explanation of a number: its formula, its inputs, and the data behind it. */
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
