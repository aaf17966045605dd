/** How numbers stand on a card (the visual language, Numbers): grouped, amounts cut to two places, never rounded up. */

const MICRO_PER_CENT = 10_000n;

/** `63,334.76` */
export function amountText(micro: string): string {
  const cents = BigInt(micro) / MICRO_PER_CENT;
  return `${countText(cents / 100n)}.${String(cents % 100n).padStart(2, '0')}`;
}

/** `1,302` */
export function countText(count: number | bigint): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** The decimals of an amount, as a part of a turn of the dial. */
export function turnOfAmount(micro: string): number {
  return Number(BigInt(micro) % 1_000_000n) / 1_000_000;
}

/** `27 November 2026` */
export function dayText(day: string): string {
  const written = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  return written.format(new Date(`${day}T00:00:00Z`));
}
