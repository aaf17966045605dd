import { OFF_SPANS_MAX, type SwitchesState, type SwitchName, type SwitchSpan } from '@cord/contracts/switches';
import { collection } from '@cord/kit/collection';
import type { Versioned } from '@cord/kit/versioned';

/** A switch that is off: since when, by whom and why. */
export interface SwitchOff {
  name: SwitchName;
  why: string;
  /** An admin's id, or the operator's name. */
  by: string;
  /** ms since epoch. */
  atMs: number;
}

/** All switches that are off, in one document. */
export interface SwitchesDocument extends Versioned {
  off: SwitchOff[];
  /** When switches of services were off, oldest first, at most OFF_SPANS_MAX. */
  spans: SwitchSpan[];
}

/** Id of the only document. */
export const ALL = 'all';

export const SWITCHES = collection<SwitchesDocument>({
  name: 'switches',
  empty: (_id) => ({ _id, seq: 0n, off: [], spans: [] }),
});

/** Returns the switches as sent to services. */
export function switchesState(document: Pick<SwitchesDocument, 'off' | 'spans'> | null): SwitchesState {
  return { off: (document?.off ?? []).map(({ name }) => name), spans: document?.spans ?? [] };
}

/**
 * Returns the spans after a switch was thrown; a repetition changes nothing. Modules have no spans: no day depends on them.
 * @param nowMs ms since epoch; a span never ends before its beginning, even if two replicas' clocks differ
 */
export function spansAfter(
  { spans }: Pick<SwitchesDocument, 'spans'>,
  { name, on }: { name: SwitchName; on: boolean },
  nowMs: number,
): SwitchSpan[] {
  if (name.startsWith('module.')) return spans;
  const open = spans.find((span) => span.name === name && span.toMs === null);
  if (on && open) {
    return spans.map((span) => (span === open ? { ...span, toMs: Math.max(nowMs, span.fromMs) } : span));
  }
  return on || open ? spans : latest([...spans, { name, fromMs: nowMs, toMs: null }]);
}

/** Drops the oldest ended spans: the beginning of an open one is still needed. */
function latest(spans: SwitchSpan[]): SwitchSpan[] {
  const over = spans.filter(({ toMs }) => toMs !== null);
  const gone = new Set(over.slice(0, Math.max(0, spans.length - OFF_SPANS_MAX)));
  return spans.filter((span) => !gone.has(span));
}
