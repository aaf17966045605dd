import { z } from 'zod';
import { Refused } from './chain.js';

const request = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).default(null),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
});

/** Maximum number of requests in one batch. */
const BATCH_MAX = 100;
const PARSE_ERROR = -32_600;
const NO_METHOD = -32_601;
export const BAD_PARAMS = -32_602;
const PREFLIGHT = -32_002;
const INTERNAL = -32_603;

/** An error with a JSON-RPC code. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

export type Methods = Readonly<Record<string, (params: unknown[]) => unknown>>;

/** Returns the response to a request or a batch. */
export function answer(methods: Methods, body: unknown): unknown {
  if (Array.isArray(body)) return body.slice(0, BATCH_MAX).map((each) => answerOne(methods, each));
  return answerOne(methods, body);
}

function answerOne(methods: Methods, body: unknown) {
  const parsed = request.safeParse(body);
  if (!parsed.success) return { jsonrpc: '2.0', id: null, error: { code: PARSE_ERROR, message: 'Invalid request' } };
  const { id, method, params } = parsed.data;
  try {
    const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (!run) throw new RpcError(NO_METHOD, 'Method not found');
    return { jsonrpc: '2.0', id, result: run(params) };
  } catch (err) {
    return { jsonrpc: '2.0', id, error: errorOf(err) };
  }
}

function errorOf(err: unknown) {
  if (err instanceof RpcError) return { code: err.code, message: err.message, data: err.data };
  if (err instanceof Refused) {
    const { outcome } = err;
    const data = { accounts: null, err: err.err, logs: outcome?.logs ?? [], unitsConsumed: outcome?.computeUnits ?? 0 };
    return { code: PREFLIGHT, message: err.message, data };
  }
  if (err instanceof RangeError || err instanceof z.ZodError) {
    const first = err instanceof z.ZodError ? err.issues[0]?.message : err.message;
    return { code: BAD_PARAMS, message: `Invalid params: ${first ?? ''}` };
  }
  return { code: INTERNAL, message: err instanceof Error ? err.message : 'Internal error' };
}
