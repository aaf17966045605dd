import type { ReactNode } from 'react';
import { WhyAnswer, type WhyInput } from './why-answer';
import { WhyPopover } from './why-popover';

export interface WhyNumberProps {
  /** What the question is about; the button shows "Why this number? Rank". */
  about: string;
  /** How the number is made, in one or two sentences. */
  formula: ReactNode;
  /** What goes into it. */
  inputs?: readonly WhyInput[] | undefined;
  /** What stands behind it: entries of the ledger, a table. */
  children?: ReactNode;
}

/** "Why this number?" for any number: its formula, its inputs, and what stands behind it. */
export function WhyNumber({ about, ...answer }: WhyNumberProps) {
  return (
    <WhyPopover about={about}>
      <WhyAnswer {...answer} />
    </WhyPopover>
  );
}
