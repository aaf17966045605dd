import { exportRpc } from '@cord/contracts/rpc/export';
import { rankCardRpc, rankRpc } from '@cord/contracts/rpc/rank';
import { runWhileServing } from '@cord/kit/periodic';
import { followRules } from '@cord/kit/rules';
import type { ServiceDefinition } from '@cord/kit/service';
import { CLOSINGS, closeRanks } from './closings.js';
import { config } from './config.js';
import { data } from './data.js';
import { Board } from './domain/board.js';
import { Presence } from './domain/presence.js';
import { measureBoard } from './figures.js';
import { globalStats, leaderboardRoutes } from './http/leaderboard.js';
import { sendStats } from './live.js';
import { followPresence } from './presence.js';
import { rebuild } from './rebuild.js';
import { writeSnapshots } from './snapshots.js';
import { openStore } from './store.js';

/** The leaderboard service: period rankings, own rank, global statistics. Each replica keeps the whole board in memory. */
export const service: ServiceDefinition<typeof config> = {
  name: 'leaderboard',
  config,
  data,
  async build({ http, nats, store: connection, clock, leases, live, log, metrics, outbox, republish, shutdown }) {
    const store = openStore(connection);
    const rules = followRules({ nats, clock, log });
    runWhileServing({ clock, log, metrics, shutdown }, [rules.work]);
    const board = new Board(clock.now(), rules.book);
    const presence = new Presence();
    presence.restore(await store.lastOnline(), clock.now());

    leaderboardRoutes(http, board, presence);
    const onShown = measureBoard(metrics, { board, store, clock });
    const following = await rebuild({ nats, board, store, log, onShown });
    const snapshots = writeSnapshots({ board, presence, following, store, leases, clock, log, metrics });
    shutdown.on('relay', 'snapshots', () => snapshots.stop());
    const statsAt = (nowMs: number) => globalStats(board, presence, nowMs);
    const liveStats = sendStats({ statsAt, live, leases, clock, log, metrics });
    liveStats.start();
    shutdown.on('consumers', 'live stats', () => liveStats.stop());

    republish();
    const closings = CLOSINGS.versioned(connection);
    const closing = closeRanks({ board, closings, outbox: outbox(CLOSINGS), leases, clock, log, metrics });
    closing.start();
    shutdown.on('consumers', 'ranks', () => closing.stop());

    const consuming = [
      ...following.parts,
      followPresence(nats, presence, clock),
      nats.serve(rankRpc, async ({ userId }) => ({ rank: board.rankOf(userId) })),
      nats.serve(rankCardRpc, async ({ userId, period }) => {
        board.rollTo(clock.now());
        return board.cardOf(userId, period, clock.now());
      }),
      nats.serve(exportRpc('leaderboard'), async ({ userId }) => ({ rank: board.rankOf(userId) })),
    ];
    for (const each of consuming) shutdown.on('consumers', 'streams', () => each.stop());
  },
};
