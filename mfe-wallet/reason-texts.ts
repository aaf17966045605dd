import { defineTexts, type TextsOf } from '@cord/sdk';
import { LANGUAGES } from './languages';
import type { Order } from './orders';

/** Why an order stands where it does, by code, for languages that have it: in English the service says it by itself. */
export const REASONS = defineTexts<Record<string, string>>('wallet-reasons', {}, LANGUAGES);

/** What the buyer is told of an order; null where there is nothing to say. */
export function reasonText(t: TextsOf<typeof REASONS>, { why, reason }: Pick<Order, 'why' | 'reason'>): string | null {
  const [outcome = '', refusal] = why?.split('.') ?? [];
  const words = t[outcome];
  if (words === undefined || refusal === undefined) return words ?? reason;
  const because = t[`because.${refusal}`];
  return because === undefined ? reason : words.replace('{why}', because);
}
