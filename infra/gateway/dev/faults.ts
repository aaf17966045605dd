import { setTimeout as sleep } from 'node:timers/promises';
import type Koa from 'koa';
import { z } from 'zod';
import { readBody } from '../api/body.js';

const FAULTS_MAX = 100;

const faultSchema = z.strictObject({
  /** The request path; `:name` matches one segment, `*` anything. */
  path: z.string().startsWith('/').max(512),
  method: z
    .string()
    .regex(/^[A-Za-z]+$/)
    .transform((text) => text.toUpperCase())
    .optional(),
  /** 0 drops the connection. Without a status, a delayed call continues after the delay; without a delay it is 503. */
  status: z
    .number()
    .int()
    .refine((status) => status === 0 || (status >= 200 && status <= 599), 'must be 0 or 200 to 599')
    .optional(),
  delayMs: z.number().int().min(0).max(120_000).optional(),
  body: z.unknown().optional(),
  times: z.number().int().min(1).max(1_000_000),
});
type Fault = z.output<typeof faultSchema> & { pattern: RegExp };

/** Injected failures of the next calls, in the order they were added (infra/README.md#local-mode). */
export class Faults {
  #faults: Fault[] = [];

  /** Handles the control calls: POST adds a fault, GET lists, DELETE clears. */
  async control(ctx: Koa.Context): Promise<void> {
    if (ctx.method === 'DELETE') {
      this.#faults = [];
      ctx.status = 204;
      return;
    }
    if (ctx.method === 'POST') return this.#add(ctx);
    ctx.body = { faults: this.#faults.map(described) };
  }

  /** Applies the next matching fault. @returns whether it sent the response */
  async apply(ctx: Koa.Context): Promise<boolean> {
    const fault = this.#take(ctx.method, ctx.path);
    if (!fault) return false;
    if (fault.delayMs) await sleep(fault.delayMs);
    const status = fault.status ?? (fault.delayMs === undefined ? 503 : undefined);
    if (status === undefined) return false;
    if (status === 0) {
      ctx.respond = false;
      ctx.req.socket.destroy();
      return true;
    }
    ctx.status = status;
    if (typeof fault.body === 'string') ctx.type = 'text/plain';
    ctx.body = fault.body ?? { error: `Fault ${status} by /dev/faults`, success: false, status };
    return true;
  }

  #take(method: string, path: string): Fault | undefined {
    const fault = this.#faults.find((one) => (!one.method || one.method === method) && one.pattern.test(path));
    if (!fault) return undefined;
    fault.times -= 1;
    if (fault.times === 0) this.#faults = this.#faults.filter((one) => one !== fault);
    return fault;
  }

  async #add(ctx: Koa.Context): Promise<void> {
    const parsed = faultSchema.safeParse(await readJson(ctx));
    if (!parsed.success || this.#faults.length >= FAULTS_MAX) {
      ctx.status = 400;
      const issue = parsed.error?.issues[0];
      const error = issue ? `${issue.path.join('.') || 'body'}: ${issue.message}` : `more than ${FAULTS_MAX} faults`;
      ctx.body = { error, success: false };
      return;
    }
    this.#faults.push({ ...parsed.data, pattern: patternOf(parsed.data.path) });
    ctx.body = { faults: this.#faults.map(described) };
  }
}

function described({ pattern: _pattern, ...fault }: Fault): Omit<Fault, 'pattern'> {
  return fault;
}

function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replace(/:[A-Za-z]+/g, '[^/]+')}$`);
}

async function readJson(ctx: Koa.Context): Promise<unknown> {
  try {
    return JSON.parse((await readBody(ctx.req)).toString('utf8'));
  } catch {
    return undefined;
  }
}
