import { isCredit, type OutboxFields } from '@cord/kit/outbox/items';
import type { UserBooks } from '../store/source.js';

/** A credit in an outbox, or one parked because the ledger refused it. */
export interface Owed {
  readonly amountMicro: bigint;
  readonly state: 'pending' | 'parked';
  /** When it became owed, ms. */
  readonly sinceMs: number;
}

/** Returns the credits that a user's documents owe, to anyone, by key. */
export function owedBy({ record, streak, holder, member }: UserBooks): Map<string, Owed> {
  const owed = new Map<string, Owed>();
  for (const document of [record, streak, holder, member] as (OutboxFields | null)[]) {
    if (document === null) continue;
    const { outbox = [], dirtyAt = 0, parked = [] } = document;
    for (const { key, amountMicro } of outbox.filter(isCredit))
      owed.set(key, { amountMicro, state: 'pending', sinceMs: dirtyAt });
    for (const { key, amountMicro, parkedAtMs } of parked)
      owed.set(key, { amountMicro, state: 'parked', sinceMs: parkedAtMs });
  }
  return owed;
}
