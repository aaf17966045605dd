import { text } from 'node:stream/consumers';
import { openAccount } from '@cord/contracts/rpc/ledger';
import type { RunningService } from '@cord/kit/service';
import { serveHttp } from '@cord/kit/testing/http-server';
import { createSessionSigner, startForTest } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { startTracing, stopTracing } from '@cord/kit/tracing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mining } from '../../../services/mining/service.js';
import { openShop, type Shop } from '../../../services/rewards/test/shop.js';
import { type Call, origin } from './origin.js';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const PAGE_SPAN = 'b7ad6b7169203331';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  service: string;
}

let shop: Shop;
let ledger: RunningService;
const spans: Span[] = [];

/** The part of OTLP/HTTP that a collector needs. */
const collector = forAllTests(() =>
  serveHttp(async (request, response) => {
    for (const { resource, scopeSpans } of JSON.parse(await text(request)).resourceSpans) {
      const { value } = resource.attributes.find(({ key }: { key: string }) => key === 'service.name');
      for (const scope of scopeSpans)
        spans.push(...scope.spans.map((span: Span) => ({ ...span, service: value.stringValue })));
    }
    response.setHeader('content-type', 'application/json').end('{}');
  }),
);

beforeAll(async () => {
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  process.env.OTEL_BSP_SCHEDULE_DELAY = '50';
  shop = await openShop();
  ledger = await startForTest(mining, shop.alone.backend, { clock: shop.clock });
  await startTracing('gateway', 'test');
});
afterAll(async () => {
  await stopTracing('gateway');
  await ledger?.close();
  await shop?.stop();
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  delete process.env.OTEL_BSP_SCHEDULE_DELAY;
});

test('a purchase is one trace, from the page through gateway, rewards, NATS and mining to both stores', async () => {
  const { natsUrl, nats } = shop.alone.backend;
  const signer = await createSessionSigner(nats);
  const upstreams = { rewards: [shop.url], mining: [ledger.url] };
  const site = await origin({ upstreams, nats: { NATS_URL: natsUrl } });
  const buyer = await shop.buyer();
  await shop.register(buyer);
  const account = { userId: buyer.userId, discordCreatedAt: shop.clock.now() - 1, at: shop.clock.now() };
  await shop.alone.backend.nats.request(openAccount, account);
  const order = await shop.order(buyer);
  const transactionHash = await shop.pay(order);
  const record = shop.record(buyer.userId, order);
  const traceparent = `00-${TRACE_ID}-${PAGE_SPAN}-01`;
  const token = await signer.sign(buyer.userId, { nowMs: Date.now() });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', traceparent };
  const purchase: Call = { method: 'POST', headers, body: JSON.stringify({ ...record, transactionHash }) };
  const handedIn = await site.call('/api/badge-purchases', purchase);
  expect(handedIn.status).toBe(202);
  // The badge is granted when the payment is final, in the trace of the call that handed it in.
  await shop.pass(60_000);

  const ofTrace = () => spans.filter(({ traceId }) => traceId === TRACE_ID);
  const names = () => ofTrace().map(({ service, name }) => `${service}: ${name}`);
  await expect
    .poll(names)
    .toEqual(
      expect.arrayContaining([
        'gateway: POST',
        'rewards: POST badgePurchases.create',
        'rewards: update orders',
        'rewards: publish badge.v1.purchased',
        'mining: handle badge.v1.purchased',
        'mining: publish balance.v1.changed',
        'mining: update accounts',
      ]),
    );
  // Every span has a parent in the trace; the first one's parent is the page's span.
  const known = new Set([PAGE_SPAN, ...ofTrace().map(({ spanId }) => spanId)]);
  expect(ofTrace().filter(({ parentSpanId = '' }) => !known.has(parentSpanId))).toEqual([]);
});
