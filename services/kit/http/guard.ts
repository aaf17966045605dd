import type { BodyOf, Endpoint, ParamsOf, QueryOf } from '@cord/contracts/endpoint';
import { FRESH_SIGN_IN_MS } from '@cord/contracts/rules/timings';
import type { Context } from 'koa';
import type { SessionUser } from '../caller.js';
import { badFields, type FieldError, forbidden } from '../problem.js';
import { fieldErrors } from '../schema-errors.js';

export interface Input<E> {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
}

/**
 * Validates path, query and body with the endpoint's schemas and returns their parsed form.
 * @throws Problem 400 that lists every invalid field
 */
export function guardRequest<E extends Endpoint>(endpoint: E, ctx: Context & { params?: unknown }): Input<E> {
  const errors: FieldError[] = [];
  const parsed: Record<string, unknown> = {};
  const parts = { params: ctx.params ?? {}, query: { ...ctx.query }, body: ctx.request.body ?? {} };
  for (const part of ['params', 'query', 'body'] as const) {
    // A GET has no body, whatever was sent.
    const result = endpoint[part].safeParse(part === 'body' && endpoint.method === 'GET' ? {} : parts[part]);
    if (result.success) parsed[part] = result.data;
    else errors.push(...fieldErrors(result.error, part));
  }
  if (errors.length > 0) throw badFields(errors);
  return parsed as unknown as Input<E>;
}

/**
 * `self`: the request must name the session's user.
 * @throws Problem 403
 */
export function requireSelf(input: Input<Endpoint>, userId: string): void {
  const { params, body } = input as { params: Record<string, unknown>; body: Record<string, unknown> | undefined };
  const named = params.id ?? params.userId ?? body?.userId;
  if (named !== undefined && named !== userId) throw forbidden('not-yours', 'This belongs to another user');
}

/**
 * `fresh` in the contract: the caller must have signed in within `FRESH_SIGN_IN_MS`.
 * @throws Problem 403 `sign-in-too-old`
 */
export function requireFresh(
  { fresh }: Endpoint,
  { body }: Input<Endpoint>,
  { issuedAtMs }: Pick<SessionUser, 'issuedAtMs'>,
  nowMs: number,
): void {
  if (fresh === undefined || typeof fresh === 'string') return;
  if (fresh !== true && !fresh.of(body)) return;
  if (nowMs - issuedAtMs <= FRESH_SIGN_IN_MS) return;
  throw forbidden('sign-in-too-old', 'Please sign in again: your sign-in must be at most 10 minutes old for this.');
}

/** A response that does not match its schema: a bug of ours. */
class AnswerMismatch extends Error {
  constructor(endpoint: Endpoint, fields: FieldError[]) {
    super(
      `the response of ${endpoint.id} does not match its schema: ${fields.map(({ path, message }) => `${path} ${message}`).join('; ')}`,
    );
    this.name = 'AnswerMismatch';
  }
}

/**
 * Returns the response in its parsed form, so that a field missing from the schema cannot leak.
 * @throws AnswerMismatch
 */
export function guardResponse(endpoint: Endpoint, answer: unknown): unknown {
  const result = endpoint.response.safeParse(answer);
  if (!result.success) throw new AnswerMismatch(endpoint, fieldErrors(result.error, 'answer'));
  return result.data;
}
