import type { Promises } from '@cord/kit/promised-credits';
import type { UserBooks } from '../store/source.js';

/** A credit that a service has promised, or that is parked because the ledger refused it. */
export interface Owed {
  readonly amountMicro: bigint;
  readonly state: 'promised' | 'parked';
  /** Since when it is owed, ms. */
  readonly sinceMs: number;
}

/** What the documents of a user owe, by the key of the credit, to whomever. */
export function owedBy({ record, streak, holder, member }: UserBooks): Map<string, Owed> {
  const owed = new Map<string, Owed>();
  for (const document of [record, streak, holder, member] as (Promises | null)[]) {
    if (document === null) continue;
    const { promised = [], promisedAt = 0, parked = [] } = document;
    for (const { key, amountMicro } of promised) owed.set(key, { amountMicro, state: 'promised', sinceMs: promisedAt });
    for (const { key, amountMicro, parkedAtMs } of parked)
      owed.set(key, { amountMicro, state: 'parked', sinceMs: parkedAtMs });
  }
  return owed;
}
