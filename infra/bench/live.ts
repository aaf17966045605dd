/**
 * npm run bench -- live: the streams of `GET /api/events`, as many as one process must hold (`streams`), and what a
 * user's browser requests and shows by a stream (`screen`, needs Chromium). `--only streams,screen` selects; `--changes
 * N` is the number of changes by another device to follow to the screen. Ends with the RESULT lines.
 */
import { parseArgs } from 'node:util';
import { startSystem } from '../test/kit/system.ts';
import { measureScreen } from './live/screen.ts';
import { measureStreams } from './live/streams.ts';

const MEASURES = { streams: measureStreams, screen: onScreens };
type Measure = keyof typeof MEASURES;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(MEASURES).join(',') },
    changes: { type: 'string', default: '100' },
  },
});
const wanted = values.only.split(',');
const unknown = wanted.filter((name) => !(name in MEASURES));
if (unknown.length > 0) throw new Error(`--only ${Object.keys(MEASURES).join(',')}: not ${unknown.join(', ')}`);

const results: Record<string, number | undefined> = {};
for (const name of wanted) Object.assign(results, await MEASURES[name as Measure]());
console.log('');
for (const [name, value] of Object.entries(results)) console.log(`RESULT ${name}=${value}`);

async function onScreens() {
  const system = await startSystem();
  try {
    return await measureScreen(system.origin, { changes: Number(values.changes) });
  } finally {
    await system.stop();
  }
}
