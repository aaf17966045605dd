import { DAY_MS, dayStartMs } from '@cord/contracts/rules/days';
import type { NodeStretch } from './record.js';

/** Stretches kept at the most; a day cannot need more that count, since each is at least a moment of node time. */
const STRETCHES_MAX = 200;

/**
 * Node time of the UTC day of `nowMs`, ms: sessions of the day, the running one up to now or the end of its lease
 * (decisions: mine-1-hour is derived from node sessions of the day).
 */
export function nodeTimeTodayMs(stretches: readonly NodeStretch[], nowMs: number): number {
  const fromMs = dayStartMs(nowMs);
  return stretches.reduce((sum, stretch) => {
    const untilMs = Math.min(stretch.untilMs, nowMs);
    return sum + Math.max(0, untilMs - Math.max(stretch.startedAtMs, fromMs));
  }, 0);
}

/** The stretches after a session began, went on or ended: one for each session, none older than yesterday. */
export function withStretch(stretches: readonly NodeStretch[], changed: NodeStretch, nowMs: number): NodeStretch[] {
  const others = stretches
    .filter((each) => each.sessionId !== changed.sessionId)
    .map((each) =>
      each.running && changed.running
        ? { ...each, running: false, untilMs: Math.min(each.untilMs, changed.startedAtMs) }
        : each,
    );
  const oldestMs = dayStartMs(nowMs) - DAY_MS;
  return [...others, changed].filter((each) => each.untilMs >= oldestMs).slice(-STRETCHES_MAX);
}
