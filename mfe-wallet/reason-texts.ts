import type { TextsOf } from '@cord/sdk';
import { defineTexts } from './languages';
import type { Order } from './orders';

/** Reasons of an order by code, for other languages; English shows the service's own text. */
export const REASONS = defineTexts<Record<string, string>>('wallet-reasons', {});

/** The reason of an order as text for its buyer; null without one. */
export function reasonText(t: TextsOf<typeof REASONS>, { why, reason }: Pick<Order, 'why' | 'reason'>): string | null {
  const [outcome = '', refusal] = why?.split('.') ?? [];
  const text = t[outcome];
  if (text === undefined || refusal === undefined) return text ?? reason;
  const because = t[`because.${refusal}`];
  return because === undefined ? reason : text.replace('{why}', because);
}
