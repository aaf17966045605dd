import { bareEpochName } from '@cord/contracts/rules/epochs';
import { formatMultiplier } from '@cord/ui';
import type { Period } from './periods';
import { EARNINGS_TEXTS } from './texts';

/** An epoch as the earnings show it. */
export interface EpochSpan {
  id: string;
  name: string;
  /** 1.1 */
  factor: number;
  startMs: number;
  /** Null while it is unknown. */
  endMs: number | null;
}

/** The epoch in force at a moment; of two the later one. */
export function epochAt(epochs: readonly EpochSpan[], atMs: number): EpochSpan | null {
  const inForce = epochs.filter(({ startMs, endMs }) => startMs <= atMs && (endMs === null || atMs < endMs));
  return inForce.at(-1) ?? null;
}

/** The one in which a period ended, or is. */
export function epochOf(epochs: readonly EpochSpan[], { endMs, startMs }: Period): EpochSpan | null {
  return epochAt(epochs, Math.max(startMs, endMs - 1));
}

/** `Epoch Beta`; one may carry "Epoch" in its name already. */
export function epochName({ name }: Pick<EpochSpan, 'name'>): string {
  return EARNINGS_TEXTS.get().epoch({ name: bareEpochName(name) });
}

/** `Epoch Beta ×1.1`, or where there is little room `Beta ×1.1`. */
export function epochLabel(epoch: EpochSpan, brief = false): string {
  const name = brief ? bareEpochName(epoch.name) : epochName(epoch);
  return EARNINGS_TEXTS.get().epochMark({ epoch: name, factor: formatMultiplier(epoch.factor) });
}
