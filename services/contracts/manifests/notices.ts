import { LIVE_PATH } from '../live/kinds.js';
import type { Manifest } from './manifest.js';

/** Passes on what others tell, and may say nothing that anybody in the house would believe. */
export const notices = {
  raw: [{ method: 'GET', path: LIVE_PATH }],
  streams: {},
  consumes: [],
  readsWhole: [],
  asks: [],
  answers: [],
  tells: [],
  hears: ['live'],
} as const satisfies Manifest;
