import type { ServiceName } from '@cord/contracts/endpoint';
import { consumedBy, measuredStreams } from '@cord/contracts/events/streams';
import { MANIFESTS } from '@cord/contracts/manifests/index';
import type { Metrics } from '../metrics.js';
import type { Nats } from '../nats.js';
import { shareRunning } from '../shared.js';

/**
 * Reports the fill of a service's own streams, the lag or lead of its durable consumers, and the dead letters of both: from 0 on, so that
 * an alert sees the first.
 */
export function measureStreams(metrics: Metrics, nats: Pick<Nats, 'jsm' | 'onDeadLetter'>, service: ServiceName): void {
  const streams = measuredStreams(service);
  const infos = shareRunning(() => Promise.all(streams.map((name) => nats.jsm.streams.info(name))));
  if (streams.length > 0) {
    metrics.measured('cord_stream_bytes', async () =>
      (await infos()).map(({ config, state }) => ({ labels: { stream: config.name }, value: state.bytes })),
    );
    metrics.measured('cord_stream_limit_bytes', async () =>
      (await infos()).map(({ config }) => ({ labels: { stream: config.name }, value: config.max_bytes })),
    );
  }
  const read = consumedBy(service);
  const deadLetters = metrics.counter('cord_dead_letters_total');
  for (const stream of [...Object.keys(MANIFESTS[service].streams), ...read]) deadLetters.inc({ stream }, 0);
  nats.onDeadLetter((stream) => deadLetters.inc({ stream }));
  if (read.length === 0) return;
  const behind = shareRunning(() => Promise.all(read.map((stream) => nats.jsm.consumers.info(stream, service))));
  metrics.measured('cord_consumer_pending_messages', async () =>
    (await behind()).map(({ stream_name: stream, num_pending: value }) => ({ labels: { stream }, value })),
  );
  metrics.measured('cord_consumer_ahead_messages', async () => {
    // Read the positions first: the end of a stream only moves on.
    const places = await behind();
    return Promise.all(
      places.map(async ({ stream_name: stream, delivered }) => {
        const { state } = await nats.jsm.streams.info(stream);
        return { labels: { stream }, value: Math.max(0, delivered.stream_seq - state.last_seq) };
      }),
    );
  });
}
