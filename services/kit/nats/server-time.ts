import { CLOCKS, clockSubject } from '@cord/contracts/events/streams';
import { CLOCK_READ_MS_MAX } from '../bounds.js';
import type { Nats } from '../nats.js';

/**
 * Returns NATS's own time, ms since epoch: when it stored a message that this process has just published. A server gives a plain user no
 * other access to its time.
 * @throws while NATS is away, and when it does not respond within CLOCK_READ_MS_MAX
 */
export async function natsTimeMs(
  nats: Pick<Nats, 'js' | 'jsm' | 'service' | 'replica' | 'connected'>,
): Promise<number> {
  if (!nats.connected()) throw new Error('NATS is unreachable');
  const subject = clockSubject(nats.service, nats.replica);
  const signal = AbortSignal.timeout(CLOCK_READ_MS_MAX);
  const late = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const stored = async () => {
    await nats.js.publish(subject);
    return nats.jsm.streams.getMessage(CLOCKS, { last_by_subj: subject });
  };
  const message = await Promise.race([stored(), late]);
  if (!message) throw new Error(`${CLOCKS} has no message on ${subject}`);
  return message.time.getTime();
}
