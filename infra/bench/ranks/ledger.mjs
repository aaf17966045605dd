/** Stands in for mining's scan: answers cord.rpc.v1.ledger.page with a crowd of COUNT accounts, through the kit as mining does. */
import { pageRpc } from '@cord/contracts/rpc/ledger';
import { createLogger } from '@cord/kit/log';
import { connectNats } from '@cord/kit/nats';
import { accountOf, numberOf } from './crowd.mjs';

const count = Number(process.env.COUNT);
const nowMs = Number(process.env.NOW_MS);
const nats = await connectNats({ NATS_URL: process.env.NATS_URL }, 'mining', createLogger('bench', 'error'));
nats.serve(pageRpc, async ({ after, limit }) => {
  const from = after === null ? 0 : numberOf(after) + 1;
  const to = Math.min(count, from + limit);
  return {
    accounts: Array.from({ length: to - from }, (_, n) => accountOf(from + n, nowMs)),
    done: to === count,
  };
});
await nats.nc.flush();
console.log('listening');
process.on('SIGTERM', () => nats.drain().then(() => process.exit(0)));
