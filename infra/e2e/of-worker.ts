import { inject } from 'vitest';

/** The system of this worker's files: no other worker uses it, so they may move its clock and change what it serves. */
const system = inject('systems')[Number(process.env.VITEST_POOL_ID ?? 1) - 1];
if (!system) throw new Error('there are fewer systems than workers: both are JOURNEY_SYSTEMS (vitest.config.ts)');

export const { origin, dataDir } = system;
