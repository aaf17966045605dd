import type { ReactNode } from 'react';
import { WhyAnswer, type WhyInput } from './why-answer';
import { WhyPopover } from './why-popover';

export interface WhyNumberProps {
  /** Name of the number; the button shows "Why this number? Rank". */
  about: string;
  /** The formula of the number, in one or two sentences. */
  formula: ReactNode;
  /** The inputs of the formula. */
  inputs?: readonly WhyInput[] | undefined;
  /** The data behind the number: entries of the ledger, a table. */
  children?: ReactNode;
}

/** "Why this number?" for any number: its formula, its inputs, and the data behind it. */
export function WhyNumber({ about, ...answer }: WhyNumberProps) {
  return (
    <WhyPopover about={about}>
      <WhyAnswer {...answer} />
    </WhyPopover>
  );
}
