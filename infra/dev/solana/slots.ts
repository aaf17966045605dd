import { createHash } from 'node:crypto';
import { base58 } from './base58.js';

/** A slot, as on the main network. */
export const SLOT_MS = 400;
/** Slots for which a blockhash may be used. */
export const BLOCKHASH_SLOTS = 150;

export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** Slots on top of a transaction's own until it is that certain. The main network takes 32 to finalise; a try by hand should not wait. */
export const DEPTH_OF: Readonly<Record<Commitment, number>> = { processed: 0, confirmed: 2, finalized: 8 };

/** Slots by time, and their blockhashes: derived, so that a restart continues where the chain was. */
export class Slots {
  constructor(
    readonly genesisHash: string,
    readonly genesisAtMs: number,
    readonly now: () => number,
  ) {}

  /** The newest slot at a commitment. */
  at(commitment: Commitment): number {
    const newest = Math.floor((this.now() - this.genesisAtMs) / SLOT_MS) + 1;
    return Math.max(0, newest - DEPTH_OF[commitment]);
  }

  /** Seconds since epoch of a slot. */
  blockTime(slot: number): number {
    return Math.floor((this.genesisAtMs + (slot - 1) * SLOT_MS) / 1_000);
  }

  /** How certain a slot is by now. */
  commitmentOf(slot: number): Commitment {
    const depth = this.at('processed') - slot;
    if (depth >= DEPTH_OF.finalized) return 'finalized';
    return depth >= DEPTH_OF.confirmed ? 'confirmed' : 'processed';
  }

  blockhash(slot: number): string {
    return base58.encode(createHash('sha256').update(`${this.genesisHash}/${slot}`).digest());
  }

  /** Whether a transaction with this blockhash can still land. */
  isValid(blockhash: string): boolean {
    const newest = this.at('processed');
    for (let slot = newest; slot >= 0 && newest - slot <= BLOCKHASH_SLOTS; slot -= 1) {
      if (this.blockhash(slot) === blockhash) return true;
    }
    return false;
  }
}
