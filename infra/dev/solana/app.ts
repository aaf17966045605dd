import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';
import { isAddress } from '@solana/kit';
import Koa from 'koa';
import { z } from 'zod';
import type { Chain } from './chain.js';
import { FAULT_MODES } from './faults.js';
import { answer } from './json-rpc.js';
import { methodsOf } from './methods.js';

const LAMPORTS_IN_SOL = 1_000_000_000;
const AIRDROP_MAX_SOL = 1_000;

const airdrop = z.strictObject({
  address: z.string().refine(isAddress, 'must be a base58 address'),
  sol: z.number().positive().max(AIRDROP_MAX_SOL),
});
const fault = z.strictObject({
  mode: z.enum([...FAULT_MODES, 'clear']),
  times: z.number().int().min(1).max(1_000_000).optional(),
});

/** The runtime's HTTP API: JSON-RPC at /, and the additions of local mode (infra/README.md#local-mode). */
export function createApp(chain: Chain, treasury: string): Koa {
  const router = new Router();
  const methods = methodsOf(chain);
  router.get('/readyz', (ctx) => {
    ctx.body = { status: 'ok' };
  });
  router.post('/', (ctx) => {
    if (chain.faults.take('rpc-down')) {
      ctx.status = 503;
      ctx.body = { error: 'A fault of local mode: the RPC is down' };
      return;
    }
    ctx.body = answer(methods, ctx.request.body) ?? null;
  });
  router.get('/dev/solana', (ctx) => {
    ctx.body = { treasury };
  });
  router.post('/dev/solana/airdrop', (ctx) => {
    const { address, sol } = airdrop.parse(ctx.request.body ?? {});
    chain.airdrop(address, Math.round(sol * LAMPORTS_IN_SOL));
    ctx.body = { success: true, address, sol, lamports: chain.balance(address) };
  });
  router.post('/dev/solana/faults', (ctx) => {
    const { mode, times } = fault.parse(ctx.request.body ?? {});
    if (mode === 'clear') chain.clearFaults();
    else chain.faults.set(mode, times);
    ctx.body = { success: true, mode, times: times ?? null };
  });

  const app = new Koa();
  app.use(namedRefusals);
  app.use(
    bodyParser({
      enableTypes: ['json'],
      jsonLimit: '64kb',
      onError: (_, ctx) => ctx.throw(400, 'The body cannot be read'),
    }),
  );
  app.use(router.routes());
  return app;
}

/** Turns a validation error into 400 with the field named. */
async function namedRefusals(ctx: Koa.Context, next: Koa.Next): Promise<void> {
  try {
    await next();
  } catch (err) {
    if (!(err instanceof z.ZodError)) throw err;
    const [issue] = err.issues;
    ctx.status = 400;
    ctx.body = { success: false, error: `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'is invalid'}` };
  }
}
