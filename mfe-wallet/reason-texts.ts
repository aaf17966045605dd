import type { TextsOf } from '@cord/sdk';
import { defineTexts } from './languages';
import type { Order } from './orders';

/** Why an order stands where it does, by code, for languages that have it: in English the service's own text is shown. */
export const REASONS = defineTexts<Record<string, string>>('wallet-reasons', {});

/** The text of an order for its buyer; null where there is none. */
export function reasonText(t: TextsOf<typeof REASONS>, { why, reason }: Pick<Order, 'why' | 'reason'>): string | null {
  const [outcome = '', refusal] = why?.split('.') ?? [];
  const text = t[outcome];
  if (text === undefined || refusal === undefined) return text ?? reason;
  const because = t[`because.${refusal}`];
  return because === undefined ? reason : text.replace('{why}', because);
}
