import type { CardTexts } from '@cord/contracts/drawing/card-texts';

/** Number formats of cards (the visual language, Numbers): grouped, amounts cut to two places, never rounded up. */

const MICRO_PER_CENT = 10_000n;

/** `63,334.76` */
export function amountText(micro: string, { marks }: Pick<CardTexts, 'marks'>): string {
  const cents = BigInt(micro) / MICRO_PER_CENT;
  return `${countText(cents / 100n, { marks })}${marks.decimal}${String(cents % 100n).padStart(2, '0')}`;
}

/** `1,302` */
export function countText(count: number | bigint, { marks }: Pick<CardTexts, 'marks'>): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, marks.group);
}

/** `5.4`: one decimal; `3.5`: all its decimals. */
export function factorText(factor: number | string, { marks }: Pick<CardTexts, 'marks'>): string {
  return String(factor).replace('.', marks.decimal);
}

/** Returns the decimals of an amount as a fraction of the dial's turn. */
export function turnOfAmount(micro: string): number {
  return Number(BigInt(micro) % 1_000_000n) / 1_000_000;
}

/** `27 November 2026` */
export function dayText(day: string, { locale }: Pick<CardTexts, 'locale'>): string {
  const written = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  return written.format(new Date(`${day}T00:00:00Z`));
}
