import { bareEpochName } from '@cord/contracts/rules/epochs';
import { formatMultiplier } from '@cord/ui';
import type { Period } from './periods';
import { EARNINGS_TEXTS } from './texts';

/** An epoch as the earnings show it. */
export interface EpochSpan {
  id: string;
  name: string;
  /** For example 1.1. */
  factor: number;
  startMs: number;
  /** Null while unknown. */
  endMs: number | null;
}

/** Returns the epoch in force at a time; the later one of two. */
export function epochAt(epochs: readonly EpochSpan[], atMs: number): EpochSpan | null {
  const inForce = epochs.filter(({ startMs, endMs }) => startMs <= atMs && (endMs === null || atMs < endMs));
  return inForce.at(-1) ?? null;
}

/** Returns the epoch at the end of a period, or now. */
export function epochOf(epochs: readonly EpochSpan[], { endMs, startMs }: Period): EpochSpan | null {
  return epochAt(epochs, Math.max(startMs, endMs - 1));
}

/** Formats `Epoch Beta`; a name may contain "Epoch" already. */
export function epochName({ name }: Pick<EpochSpan, 'name'>): string {
  return EARNINGS_TEXTS.get().epoch({ name: bareEpochName(name) });
}

/** Formats `Epoch Beta ×1.1`, or `Beta ×1.1` for little space. */
export function epochLabel(epoch: EpochSpan, brief = false): string {
  const name = brief ? bareEpochName(epoch.name) : epochName(epoch);
  return EARNINGS_TEXTS.get().epochMark({ epoch: name, factor: formatMultiplier(epoch.factor) });
}
