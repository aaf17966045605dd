import type { PaymentRefusal } from '@cord/contracts/http/rewards';

/** A transfer of lamports made by a transaction or by a program in it, with all keys of its instruction. */
export interface Transfer {
  from: string;
  to: string;
  lamports: bigint;
  keys: readonly string[];
}

/** The parts of a finalised transaction that a payment is judged by. */
export interface ChainTransaction {
  signature: string;
  succeeded: boolean;
  /** ms since epoch; null where the network has none. */
  blockTimeMs: number | null;
  signers: readonly string[];
  transfers: readonly Transfer[];
  /** Balance change of each account by the transaction, in lamports. */
  changes: ReadonlyMap<string, bigint>;
}

/** The payment terms of an order, fixed at its creation. */
export interface Due {
  reference: string;
  treasury: string;
  lamports: number;
  /** Null: anyone may pay (a QR code), and the payer is read from the transaction. */
  walletAddress: string | null;
  expiresAtMs: number;
}

/**
 * Amounts below this are not owed, lamports: a return costs a fee, and many payments of one lamport would bury the
 * real ones. For an order that costs less, its price is the limit.
 */
export const OWED_FROM_LAMPORTS = 100_000n;

/** Money that the treasury holds for an order. */
export interface Paid {
  payer: string;
  lamports: bigint;
}

/** The amounts to return from a transaction, by payer. */
export type Owed = readonly [Paid, ...Paid[]];

export type Verdict =
  | { kind: 'confirmed'; paid: Paid }
  /** Refused for good; no money arrived. */
  | { kind: 'refused'; reason: PaymentRefusal }
  /** Refused for good; the money that arrived must be returned. */
  | { kind: 'owed'; reason: PaymentRefusal; paid: Owed }
  /** Neither refused nor confirmed yet. */
  | { kind: 'not-yet' };

/** Refused for good. */
type Refusal = Extract<Verdict, { kind: 'refused' | 'owed' }>;

const refused = (reason: PaymentRefusal, [first, ...others]: readonly Paid[] = []): Refusal =>
  first ? { kind: 'owed', reason, paid: [first, ...others] } : { kind: 'refused', reason };

/**
 * Judges a finalised transaction as the payment of an order (services/rewards/README.md#badge). It must have
 * succeeded, and a transfer in it must name the order's reference. That transfer must go to the treasury from the
 * order's wallet, which signed. It must reach the price, the treasury must keep that amount after the whole
 * transaction, and it must be in time. Whether the signature was used before is not checked here.
 */
export function judge(due: Due, transaction: ChainTransaction): Verdict {
  if (!transaction.succeeded) return refused('transaction-failed');
  const named = transaction.transfers.filter(({ keys }) => keys.includes(due.reference));
  if (named.length === 0) return refused('wrong-reference');
  const price = BigInt(due.lamports);
  const arrival = arrivalOf(due.treasury, named, transaction);
  if (arrival === null) return refused('wrong-treasury');
  const { parts, sent, kept } = arrival;
  const owed = owedOf(parts, OWED_FROM_LAMPORTS < price ? OWED_FROM_LAMPORTS : price);
  if (!parts.every(({ payer }) => isPayer(due, payer, transaction)) || parts.length > 1)
    return refused('other-payer', owed);
  if (sent < price) return refused('amount-too-small', owed);
  const [paid] = owed;
  if (kept < price || !paid) return refused('refunded-inside', owed);
  if (transaction.blockTimeMs === null) return { kind: 'not-yet' };
  if (transaction.blockTimeMs > due.expiresAtMs) return refused('order-expired', owed);
  return { kind: 'confirmed', paid };
}

/**
 * Judges a finalised transaction that names no order, e.g. from an exchange, or from a wallet that drops the
 * reference of a code: its money is returned. Whether an order is in it is not checked here.
 */
export function judgeUnassigned(treasury: string, transaction: ChainTransaction): Refusal {
  if (!transaction.succeeded) return refused('transaction-failed');
  const arrival = arrivalOf(treasury, transaction.transfers, transaction);
  if (arrival === null) return refused('wrong-treasury');
  const owed = owedOf(arrival.parts, OWED_FROM_LAMPORTS);
  return refused(owed.length > 0 ? 'wrong-reference' : 'amount-too-small', owed);
}

/** Returns the amounts that transfers bring to a treasury; null when none goes there. */
function arrivalOf(treasury: string, transfers: readonly Transfer[], { changes }: ChainTransaction) {
  const toTreasury = transfers.filter(({ to }) => to === treasury);
  if (toTreasury.length === 0) return null;
  /** Balance change of the treasury by the whole transaction. */
  const kept = changes.get(treasury) ?? 0n;
  let left = kept;
  /** The amount held for each payer, in the order of their first transfers. */
  const parts = [...new Set(toTreasury.map(({ from }) => from))].map((payer): Paid => {
    const own = sumOf(toTreasury.filter(({ from }) => from === payer));
    const lamports = own < left ? own : left;
    left -= lamports;
    return { payer, lamports };
  });
  return { parts, sent: sumOf(toTreasury), kept };
}

const owedOf = (parts: readonly Paid[], least: bigint) =>
  parts.filter(({ lamports }) => lamports > 0n && lamports >= least);

/**
 * Returns the part of a transaction that is left after earlier orders took theirs: it omits transfers that name an
 * earlier order, and their amounts.
 */
export function withoutEarlier(
  due: Pick<Due, 'treasury'>,
  transaction: ChainTransaction,
  isEarlier: (key: string) => boolean,
): ChainTransaction {
  const { transfers, changes } = transaction;
  const [theirs, own] = [true, false].map((earlier) =>
    transfers.filter(({ keys }) => keys.some(isEarlier) === earlier),
  );
  const taken = sumOf((theirs ?? []).filter(({ to }) => to === due.treasury));
  const left = (changes.get(due.treasury) ?? 0n) - taken;
  return { ...transaction, transfers: own ?? [], changes: new Map([...changes, [due.treasury, left]]) };
}

function isPayer({ walletAddress }: Due, payer: string, { signers }: ChainTransaction): boolean {
  return signers.includes(payer) && (walletAddress === null || walletAddress === payer);
}

function sumOf(transfers: readonly Transfer[]): bigint {
  return transfers.reduce((sum, { lamports }) => sum + lamports, 0n);
}

/**
 * Whether a finalised transaction transfers at least this amount from one of these wallets to a payer, who keeps it
 * after the whole transaction. Transfers from other wallets do not count.
 * @param treasuries the wallets that return payments
 */
export function returnsPayment(
  transaction: ChainTransaction,
  payer: string,
  lamports: bigint,
  treasuries: readonly string[],
): boolean {
  const { succeeded, transfers, changes } = transaction;
  const sent = sumOf(transfers.filter(({ from, to }) => to === payer && treasuries.includes(from)));
  return succeeded && sent >= lamports && (changes.get(payer) ?? 0n) >= lamports;
}

/** Maximum lag of the chain's clock behind this service's clock, ms. */
export const BEHIND_MS_MAX = 60_000;

/**
 * Whether a transaction is late enough to return a payment of that time. An earlier one paid for something else. A
 * payment may be recorded long after it arrived, and be returned in between.
 */
export function isSince(blockTimeMs: number, paidMs: number): boolean {
  return blockTimeMs >= paidMs - BEHIND_MS_MAX;
}
