import type { Clock } from '@cord/kit/clock';
import { BEAT_MS } from './bounds.js';
import type { Streams } from './streams.js';

/** Turns the wheel of the streams; when the clock was moved, sessions that are over end at once. */
export function beat(streams: Pick<Streams, 'beat' | 'checkSessions'>, clock: Clock): { stop(): void } {
  const timer = setInterval(() => streams.beat(), BEAT_MS);
  const offAdvance = clock.onAdvance(async () => streams.checkSessions());
  return {
    stop() {
      clearInterval(timer);
      offAdvance();
    },
  };
}
