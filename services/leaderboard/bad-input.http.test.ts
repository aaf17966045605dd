import { everyRouteRefusesBadInput, startForAdmin } from '@cord/kit/testing/bad-input-suite';
import { service } from './service.js';

everyRouteRefusesBadInput('leaderboard', () => startForAdmin(service, (_, id) => ({ params: { id }, query: {} })));
