import { everyRouteRefusesBadInput, startForAdmin } from '@cord/kit/testing/bad-input-suite';
import { service } from './service.js';

everyRouteRefusesBadInput('leaderboard', () =>
  startForAdmin({
    definition: service,
    nowMs: Date.UTC(2026, 10, 18, 12),
    arrived: { id: 'leaderboard.me', status: 200 },
    goodCall: (_, id) => ({ params: { id }, query: {} }),
  }),
);
