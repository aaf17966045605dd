import type { Order } from '../orders';

const LAMPORTS_DIGITS = 9;

/** The payment as a link that wallets understand (Solana Pay): amount, treasury, and the order's reference. */
export function paymentLink({ lamports, treasury, reference }: Order): string {
  const digits = String(lamports).padStart(LAMPORTS_DIGITS + 1, '0');
  const rest = digits.slice(-LAMPORTS_DIGITS).replace(/0+$/, '');
  const amount = `${digits.slice(0, -LAMPORTS_DIGITS)}${rest === '' ? '' : `.${rest}`}`;
  return `solana:${treasury}?${new URLSearchParams({ amount, reference, label: 'CORD Badge of Honor' })}`;
}
