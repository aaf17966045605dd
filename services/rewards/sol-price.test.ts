import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@cord/kit/log';
import { createTestClock } from '@cord/kit/testing/index';
import { afterEach, expect, test } from 'vitest';
import { createSolPrice } from './sol-price.js';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** The quote of a price service that answers so. */
async function quoteOf(body: string) {
  const server = createServer((_req, res) => res.end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return createSolPrice(url, createTestClock(), createLogger('test', 'silent')).quote();
}

const QUOTE = JSON.stringify({ solana: { usd: 170.5 } });

test('a quote is read up to a bound: what is larger is not, and the fallback stands in', async () => {
  expect(await quoteOf(QUOTE)).toMatchObject({ usd: 170.5, estimate: false });
  expect(await quoteOf(`${' '.repeat(64 * 1024)}${QUOTE}`)).toMatchObject({ usd: 50, estimate: true });
});
