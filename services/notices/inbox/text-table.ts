/** A text with named placeholders. */
type Filled = (values: Readonly<Record<string, string | number>>) => string;

/** The texts of notices in one language, with its formats of numbers and dates. */
export interface NoticeTexts {
  /** For numbers and dates (BCP 47). */
  readonly locale: string;
  readonly days: (count: number) => string;
  readonly friends: (count: number) => string;
  readonly miners: (count: number) => string;

  readonly paused: Filled;
  readonly pausedText: string;
  /** The warning an hour before a pause; then the results of its button. */
  readonly pauses: Filled;
  readonly pausesText: Filled;
  readonly extend: string;
  readonly open: string;
  readonly again: string;
  readonly extended: Filled;
  readonly extendedText: string;
  readonly notExtended: Filled;
  /** Shows that a device can be reached. */
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
  /** Names the transaction of a payment or refund. */
  readonly transaction: Filled;
  /** Why the payment could not be accepted. */
  readonly refundReasons: Readonly<Record<string, string>>;
  readonly refundReason: string;
  readonly answered: Readonly<Record<'appeal' | 'refund' | 'support', string>>;
  readonly answeredText: string;
  /** For an appeal: the network check's result, and since when an operator has restored the rate. */
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
  /** Browser and system of a sign-in; `somewhere` when neither is known. */
  readonly device: Filled;
  readonly somewhere: string;
  readonly signedIn: Filled;
  readonly signedInText: Filled;
}

/** @param text with `{name}` as placeholders */
export const withValues =
  (text: string): Filled =>
  (values) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
