/** A mining session at a change of its state. The record of an ended or paused session is final. */
export interface SessionRecord {
  readonly id: string;
  readonly userId: string;
  readonly status: 'active' | 'ended' | 'paused';
  readonly startedAtMs: number;
  /** null while it runs. */
  readonly endedAtMs: number | null;
  readonly creditedUntilMs: number;
  readonly leaseUntilMs: number;
  /** micro-CORD credited in this session. */
  readonly earnedMicro: bigint;
  /** Credited ms of this session, and of all sessions up to its end. */
  readonly sessionMs: number;
  readonly ranMs: number;
  readonly addressHash: string | null;
  /** The rate at its last moment, nano-CORD per minute, and its factors. */
  readonly rateNano: bigint;
  readonly tierHundredths: bigint;
  readonly antiCheatHundredths: bigint;
  readonly badge: boolean;
  readonly epochHundredths: bigint;
  readonly epochId: string | null;
  /** Account age at its last moment, in tenths of a year (never the date of creation itself). */
  readonly ageTenths: number;
}
