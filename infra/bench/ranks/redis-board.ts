/** The leaderboard's page on Redis: same guard and presenter, ZREVRANGE and one HMGET. */
import { leaderboardEndpoints } from '@cord/contracts/http/leaderboard';
import { periodKeys } from '@cord/contracts/rules/days';
import { baseConfig } from '@cord/kit/config';
import { createLogger } from '@cord/kit/log';
import { migrate } from '@cord/kit/migration/migrate';
import { withKit } from '@cord/kit/migration/plan';
import { followRules } from '@cord/kit/rules';
import { startService } from '@cord/kit/service';
import { connectStore } from '@cord/kit/store';
import { createClient } from '@redis/client';
import { built } from '../../cli/system.ts';
import { REDIS_KEYS } from './redis-keys.ts';

const { BENCH_REDIS: url = '', ...env } = process.env;
const { toEntry } = await built<typeof import('../../../services/leaderboard/domain/miner.ts')>(
  'services/leaderboard/dist/domain/miner.js',
);
const redis = createClient({ url });
await redis.connect();

const DATABASE = 'cord_leaderboard_redis';
const store = await connectStore(env.MONGODB_URI ?? '', DATABASE, createLogger('bench', 'error'));
await migrate(store, withKit([]));
await store.close();
await startService(
  {
    name: 'leaderboard',
    config: baseConfig,
    data: [],
    async build({ http, nats, clock, log }) {
      const rules = followRules({ nats, clock, log });
      http.publicRoute(leaderboardEndpoints.list, async ({ query, now }) => {
        const ids = await redis.zRange(REDIS_KEYS[query.period], 0, query.limit - 1, { REV: true });
        const miners = ids.length > 0 ? await redis.hmGet(REDIS_KEYS.miners, ids) : [];
        const keys = periodKeys(now);
        const shown = { nowMs: now, book: rules.book(now) };
        return miners.map((text, index) => toEntry(JSON.parse(text ?? ''), index + 1, query.period, keys, shown));
      });
    },
  },
  { env, dbName: DATABASE, signals: true },
);
