import { BEAT_MS } from './bounds.js';
import type { Streams } from './streams.js';

/** Turns the wheel of the streams. */
export function beat(streams: Pick<Streams, 'beat'>): { stop(): void } {
  const timer = setInterval(() => streams.beat(), BEAT_MS);
  return { stop: () => clearInterval(timer) };
}
