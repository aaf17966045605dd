import Router from '@koa/router';
import type Koa from 'koa';
import type { MakeArea } from '../area.js';

const TIMEOUT_MS = 10_000;

/**
 * This machine's Solana runtime under /dev/solana. The area has no routes when payments go to the cluster at
 * SOLANA_RPC_URL, since the starter then runs no runtime.
 */
export const solanaArea: MakeArea = ({ config }) => {
  const router = new Router();
  const runtime = config.SOLANA_RUNTIME_URL;
  if (!runtime)
    return { title: 'Solana', help: ['Payments go to the cluster at SOLANA_RPC_URL.'], routes: router.routes() };

  const pass = async (ctx: Koa.Context, path: string): Promise<unknown> => {
    const sends = ctx.method !== 'GET';
    const answer = await fetch(`${runtime}${path}`, {
      method: ctx.method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(sends
        ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(ctx.request.body ?? {}) }
        : {}),
    });
    ctx.status = answer.status;
    ctx.type = 'application/json';
    return answer.json();
  };
  router.get('/dev/solana', async (ctx) => {
    const { treasury } = (await pass(ctx, '/dev/solana')) as { treasury: string };
    ctx.body = { rpcUrl: `${config.PUBLIC_ORIGIN}/dev/solana/rpc`, treasury };
  });
  router.post('/dev/solana/rpc', async (ctx) => {
    ctx.body = await pass(ctx, '/');
  });
  for (const path of ['/dev/solana/airdrop', '/dev/solana/faults']) {
    router.post(path, async (ctx) => {
      ctx.body = await pass(ctx, path);
    });
  }
  return {
    title: 'Solana',
    help: [
      'GET /dev/solana {rpcUrl, treasury}; POST /dev/solana/airdrop {"address":"...","sol":1} gives test SOL.',
      'POST /dev/solana/faults {"mode":"drop|hold|fail|rpc-down","times":1}; {"mode":"clear"} ends all faults and lets held transactions land.',
    ],
    routes: router.routes(),
  };
};
