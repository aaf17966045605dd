import { chromium } from 'playwright-core';
import type { Checked, CheckInput } from '../../../shell/ledger-check/check.ts';
import { oneFile } from '../../build/one-file.ts';
import { CHROMIUM_LAUNCH, chromiumBinary } from '../../test/chromium.ts';
import { median } from '../shared/median.ts';

const TIMES = 5;

/** A page that runs and measures the check in a worker. Amounts are bigints, which stay in the page. */
const PAGE = `<!doctype html><script>
const input = fetch('/input.json').then((answer) => answer.json());
async function check() {
  const { records, ...given } = await input;
  const worker = new Worker('/worker.js');
  const startMs = performance.now();
  worker.postMessage({ ...given, records: records.map((record) => Uint8Array.from(record)) });
  const { data } = await new Promise((resolve, reject) => Object.assign(worker, { onmessage: resolve, onerror: reject }));
  const ms = performance.now() - startMs;
  worker.terminate();
  return { ms, text: JSON.stringify(data, (_, each) => (typeof each === 'bigint' ? String(each) : each)) };
}
</script>`;

/**
 * Checks a ledger in Chromium with the page's worker, each time a new one.
 * @returns median time from the worker's start to its result, ms
 * @throws Error when the ledger does not verify there
 */
export async function msInChromium(input: CheckInput): Promise<number> {
  await chromiumBinary();
  const files: Record<string, { body: string; contentType: string }> = {
    '/worker.js': {
      body: await oneFile('./shell/ledger-check/check-worker.ts', { platform: 'browser', format: 'iife' }),
      contentType: 'text/javascript',
    },
    '/input.json': {
      body: JSON.stringify({ ...input, records: input.records.map((record) => [...record]) }),
      contentType: 'application/json',
    },
  };
  const browser = await chromium.launch(CHROMIUM_LAUNCH);
  try {
    const page = await browser.newPage();
    await page.route('**/*', (route) =>
      route.fulfill(files[new URL(route.request().url()).pathname] ?? { body: PAGE, contentType: 'text/html' }),
    );
    await page.goto('http://bench.localhost/');
    const times: number[] = [];
    for (let n = 0; n < TIMES; n += 1) {
      const { ms, text } = await page.evaluate<{ ms: number; text: string }>('check()');
      const answer = JSON.parse(text) as { checked?: Checked };
      if (!answer.checked?.next) throw new Error(`in Chromium: ${text}`);
      times.push(ms);
    }
    return median(times);
  } finally {
    await browser.close();
  }
}
