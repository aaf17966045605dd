import { startForAdmin, testBadInput } from '@cord/kit/testing/bad-input-suite';
import { service } from './service.js';

testBadInput('leaderboard', () => startForAdmin(service, (_, id) => ({ params: { id }, query: {} })));
