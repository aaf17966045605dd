import { createHash } from 'node:crypto';
import { base58 } from './base58.js';

/** Length of a slot in ms, as on the main network. */
export const SLOT_MS = 400;
/** Number of slots for which a blockhash is valid. */
export const BLOCKHASH_SLOTS = 150;

export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** Slots after a transaction's own until it has that commitment. The main network finalises after 32; manual tests should be faster. */
export const DEPTH_OF: Readonly<Record<Commitment, number>> = { processed: 0, confirmed: 2, finalized: 8 };

/** Slots by time, and their blockhashes: derived, so that the chain continues after a restart. */
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

  /** Time of a slot, in seconds since epoch. */
  blockTime(slot: number): number {
    return Math.floor((this.genesisAtMs + (slot - 1) * SLOT_MS) / 1_000);
  }

  /** Current commitment of a slot. */
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
