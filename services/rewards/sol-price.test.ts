import { createLogger } from '@cord/kit/log';
import { serveHttp } from '@cord/kit/testing/http-server';
import { createTestClock } from '@cord/kit/testing/index';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { expect, test } from 'vitest';
import { createSolPrice } from './sol-price.js';

/** Returns the quote for this response of the price service. */
async function quoteOf(body: string) {
  const { url } = stopAfterTest(await serveHttp((_req, res) => res.end(body)));
  return createSolPrice(url, createTestClock(), createLogger('test', 'silent')).quote();
}

const QUOTE = JSON.stringify({ solana: { usd: 170.5 } });

test('a quote is read from a response up to a size limit, and replaced by the fallback beyond it', async () => {
  expect(await quoteOf(QUOTE)).toMatchObject({ usd: 170.5, estimate: false });
  expect(await quoteOf(`${' '.repeat(64 * 1024)}${QUOTE}`)).toMatchObject({ usd: 50, estimate: true });
});
