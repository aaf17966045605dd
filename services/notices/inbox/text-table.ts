/** A text with places for values, each by its name. */
type Filled = (values: Readonly<Record<string, string | number>>) => string;

/** The texts of notices in one language, with how it writes numbers, days and times of day. */
export interface NoticeTexts {
  /** For numbers and dates (BCP 47). */
  readonly locale: string;
  readonly days: (count: number) => string;
  readonly friends: (count: number) => string;
  readonly miners: (count: number) => string;

  readonly paused: Filled;
  readonly pausedText: string;
  /** An hour before it pauses; then the answers to a press on its button. */
  readonly pauses: Filled;
  readonly pausesText: Filled;
  readonly extend: string;
  readonly open: string;
  readonly again: string;
  readonly extended: Filled;
  readonly extendedText: string;
  readonly notExtended: Filled;
  /** That a device can be reached. */
  readonly test: string;
  readonly testText: string;
  readonly closing: Filled;
  readonly closingText: Filled;
  readonly joined: Filled;
  readonly someoneJoined: string;
  readonly joinedText: Filled;
  readonly commission: Filled;
  readonly commissionText: Filled;
  readonly paid: string;
  readonly refunded: Filled;
  /** By which transaction it was paid, or is back. */
  readonly transaction: Filled;
  /** Why the payment could not be taken. */
  readonly refundReasons: Readonly<Record<string, string>>;
  readonly refundReason: string;
  readonly answered: Readonly<Record<'appeal' | 'refund' | 'support', string>>;
  readonly answeredText: string;
  /** Of an appeal: how the network check stands, and since when the rate is whole where a person made it so. */
  readonly network: Filled;
  readonly levels: { readonly clean: string; readonly shared: string; readonly penalty: Filled };
  readonly wholeSince: Filled;
  readonly begins: Filled;
  readonly begun: Filled;
  readonly pays: Filled;
  readonly rateBecomes: Filled;
  readonly rulesChange: Filled;
  readonly rulesChangeText: string;
  readonly rulesChanged: Filled;
  readonly rulesChangedText: string;
  readonly rose: Filled;
  readonly passedBy: Filled;
  readonly passedByMany: Filled;
  readonly rankText: Filled;
  /** Browser and system of a sign-in; `somewhere` where neither is known. */
  readonly device: Filled;
  readonly somewhere: string;
  readonly signedIn: Filled;
  readonly signedInText: Filled;
}

/** @param text with `{name}` where a value stands */
export const withValues =
  (text: string): Filled =>
  (values) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
