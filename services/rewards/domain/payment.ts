import type { PaymentRefusal } from '@cord/contracts/http/rewards';

/** A transfer of lamports that a transaction makes, itself or by a program, with every key that stands in its instruction. */
export interface Transfer {
  from: string;
  to: string;
  lamports: bigint;
  keys: readonly string[];
}

/** A finalised transaction, as far as a payment is judged by it. */
export interface ChainTransaction {
  signature: string;
  succeeded: boolean;
  /** ms since epoch; null where the network has none. */
  blockTimeMs: number | null;
  signers: readonly string[];
  transfers: readonly Transfer[];
  /** What each account has more, or less, after the transaction, in lamports. */
  changes: ReadonlyMap<string, bigint>;
}

/** What an order requires of its payment; fixed when it was written. */
export interface Due {
  reference: string;
  treasury: string;
  lamports: number;
  /** Null: anyone may pay (a QR code), and the payer is read from the transaction. */
  walletAddress: string | null;
  expiresAtMs: number;
}

/**
 * What arrives below this is not owed, lamports: returning it costs a fee of its own, and a list of payments of one lamport each would
 * bury the real ones. An order that costs less is owed from its price on.
 */
export const OWED_FROM_LAMPORTS = 100_000n;

/** Money of an order that is with the treasury. */
export interface Paid {
  payer: string;
  lamports: bigint;
}

/** What goes back of a transaction: to each payer what is theirs. */
export type Owed = readonly [Paid, ...Paid[]];

export type Verdict =
  | { kind: 'confirmed'; paid: Paid }
  /** Refused for good, and nothing arrived. */
  | { kind: 'refused'; reason: PaymentRefusal }
  /** Refused for good; what arrived for this order has to go back. */
  | { kind: 'owed'; reason: PaymentRefusal; paid: Owed }
  /** Not refused: not decided yet. */
  | { kind: 'not-yet' };

/** Refused for good. */
type Refusal = Extract<Verdict, { kind: 'refused' | 'owed' }>;

const refused = (reason: PaymentRefusal, [first, ...others]: readonly Paid[] = []): Refusal =>
  first ? { kind: 'owed', reason, paid: [first, ...others] } : { kind: 'refused', reason };

/**
 * Judges a finalised transaction as the payment of an order (services/rewards/README.md#badge): it succeeded; a transfer in it
 * names the order's reference; that transfer goes to the treasury, from the wallet that the order names, who signed; it is of
 * the price at least, and the treasury has that much more after the whole transaction; and it was in time.
 * Whether the signature has paid for something before is not known here.
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
 * Judges a finalised transaction that names no order, as an exchange sends one or a wallet that drops the reference of a code: what arrived goes back.
 * Whether an order is in it is not known here.
 */
export function judgeUnassigned(treasury: string, transaction: ChainTransaction): Refusal {
  if (!transaction.succeeded) return refused('transaction-failed');
  const arrival = arrivalOf(treasury, transaction.transfers, transaction);
  if (arrival === null) return refused('wrong-treasury');
  const owed = owedOf(arrival.parts, OWED_FROM_LAMPORTS);
  return refused(owed.length > 0 ? 'wrong-reference' : 'amount-too-small', owed);
}

/** What transfers bring a treasury by a transaction; null where none goes there. */
function arrivalOf(treasury: string, transfers: readonly Transfer[], { changes }: ChainTransaction) {
  const toTreasury = transfers.filter(({ to }) => to === treasury);
  if (toTreasury.length === 0) return null;
  /** What the treasury has more after the whole of it. */
  const kept = changes.get(treasury) ?? 0n;
  let left = kept;
  /** What each payer has with the treasury, in the order of their first transfers. */
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
 * What is left of a transaction for an order when others took their part of it before: transfers that name an earlier order are not its own,
 * and neither is what they brought to the treasury.
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
 * Whether a finalised transaction transfers at least so much from one of these wallets to a payer, who has that much more after the whole
 * of it. What others send to the payer returns nothing.
 * @param treasuries the wallets that return payments
 */
export function bringsBack(
  transaction: ChainTransaction,
  payer: string,
  lamports: bigint,
  treasuries: readonly string[],
): boolean {
  const { succeeded, transfers, changes } = transaction;
  const sent = sumOf(transfers.filter(({ from, to }) => to === payer && treasuries.includes(from)));
  return succeeded && sent >= lamports && (changes.get(payer) ?? 0n) >= lamports;
}

/** By how much the clock of the chain may be behind the one of this service, ms. */
export const BEHIND_MS_MAX = 60_000;

/**
 * Whether a transaction may return a payment of that time; what was sent before is for something else. A payment may be found and recorded
 * long after it came, and be returned in between.
 */
export function isSince(blockTimeMs: number, paidMs: number): boolean {
  return blockTimeMs >= paidMs - BEHIND_MS_MAX;
}
