import { one } from '@cord/kit/metrics';
import { followRules } from '@cord/kit/rules';
import type { ServiceDefinition } from '@cord/kit/service';
import { BEAT_MS } from './bounds.js';
import { openCards } from './cards/open.js';
import { config } from './config.js';
import { data } from './data.js';
import { streamRoute } from './http/stream.js';
import { openInbox } from './inbox/open.js';
import { subscribeToLive } from './live-messages.js';
import { Streams } from './streams.js';

/** The live streams, held by each replica for its own clients; the inbox; and the cards of shared links. */
export const service: ServiceDefinition<typeof config> = {
  name: 'notices',
  config,
  data,
  async build(kit) {
    const { http, nats, clock, metrics, presence, shutdown } = kit;
    const ended = metrics.counter('cord_streams_ended_total');
    const live = subscribeToLive(nats);
    const streams = new Streams({
      subscribe: live.user,
      saw: (userId) => presence.markSeen(userId),
      nowMs: () => clock.now(),
      onEnded: (why) => ended.inc({ why }),
    });
    metrics.measured('cord_streams', async () => one(streams.size));
    metrics.measured('cord_streams_users', async () => one(streams.users));
    live.all((kind, data) => void streams.sendAll(kind, data));
    streamRoute(http, streams);
    const rules = followRules(kit);
    openInbox(kit, rules);
    openCards(kit, rules);

    const beats = setInterval(() => streams.beat(), BEAT_MS);
    // Messages published while NATS was down are lost: each client with a stream reconnects and reloads.
    const offReconnect = nats.onReconnect(() => streams.endAll('gap'));
    shutdown.on('http', 'streams', () => {
      offReconnect();
      clearInterval(beats);
      streams.close();
    });
  },
};
