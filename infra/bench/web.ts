/**
 * The budgets of the front end, measured on the whole product: bytes of JavaScript, main-thread time against a floor page
 * in the same run, a tab switch against a bare render of the same page, layout shifts in a walk through every screen, and
 * the heap over an hour of mining. `--only sizes,main,...` selects; `--runs N` is the number of visits per page in `main`
 * (median); `--origin URL` uses a running system in local mode. Ends with the RESULT lines; exit code 1 beyond a budget.
 */
import { parseArgs } from 'node:util';
import { startSystem } from '../test/kit/system.ts';
import { judge, type Measure } from './web/budgets.ts';
import { measureHeap } from './web/heap.ts';
import { measureLayoutShift } from './web/layout-shift.ts';
import { measureMainThread } from './web/main-thread.ts';
import { measureSizes } from './web/sizes.ts';
import { measureTabSwitch } from './web/tab-switch.ts';
import { createCrowd } from './web/visitor.ts';

const MEASURES: Record<string, Measure> = {
  sizes: measureSizes,
  main: measureMainThread,
  switch: measureTabSwitch,
  shift: measureLayoutShift,
  // Last, since it moves the system's clock.
  heap: measureHeap,
};

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(MEASURES).join(',') },
    runs: { type: 'string', default: '5' },
    origin: { type: 'string' },
  },
});
const wanted = values.only.split(',');
const unknown = wanted.filter((name) => !(name in MEASURES));
if (unknown.length > 0) throw new Error(`--only ${Object.keys(MEASURES).join(',')}: not ${unknown.join(', ')}`);

const system = values.origin ? null : await startSystem();
const origin = values.origin ?? system?.origin ?? '';
const results = new Map<string, number>();
try {
  await createCrowd(origin);
  for (const [name, measure] of Object.entries(MEASURES).filter(([each]) => wanted.includes(each))) {
    console.log(`\n${name}`);
    for (const [result, value] of await measure({ origin, runs: Number(values.runs) })) results.set(result, value);
  }
} finally {
  await system?.stop();
}
console.log('');
process.exitCode = judge(results) ? 0 : 1;
