import type { Access, Address } from '@cord/contracts/address';
import { endpoint, noContent } from '@cord/contracts/endpoint';
import { id128, idParams, wholeNumber } from '@cord/contracts/http/fields';
import { z } from 'zod';

/* One endpoint for each guard. */

const body = z.strictObject({
  name: z.string().max(10),
  nested: z.strictObject({ on: z.boolean() }).optional(),
  deep: z.unknown().optional(),
});
const at = <const Id extends string>(id: Id, method: Address['method'], path: string, access: Access = 'public') =>
  ({ id, method, path, access }) as const;
const base = { summary: 'test', response: z.object({}) };
export const echo = endpoint('auth', at('t.echo', 'POST', '/echo'), { ...base, body, response: body });
export const list = endpoint('auth', at('t.list', 'GET', '/list'), {
  ...base,
  query: z.strictObject({ limit: wholeNumber(10) }),
  response: z.object({ limit: z.number(), ip: z.string(), user: z.string().nullable() }),
});
export const mine = endpoint('auth', at('t.mine', 'GET', '/users/:id/mine', 'self'), {
  ...base,
  params: idParams,
  response: z.object({ id: id128 }),
});
const writes = {
  ...base,
  body: z.strictObject({ userId: id128.optional() }),
  response: z.object({ ok: z.literal(true) }),
};
export const write = endpoint('auth', at('t.write', 'POST', '/write', 'self'), writes);
export const save = endpoint('auth', at('t.save', 'POST', '/save', 'self'), { ...writes, whileStale: true });
export const admin = endpoint('auth', at('t.admin', 'GET', '/admin', 'admin'), base);
const onOff = z.strictObject({ on: z.boolean() });
/** A fresh sign-in is required for every call, or only for those with `on`. */
export const freshWrite = endpoint('auth', at('t.freshWrite', 'POST', '/fresh', 'user'), {
  ...base,
  body: onOff,
  fresh: true,
});
export const freshOn = endpoint('auth', at('t.freshOn', 'PUT', '/fresh', 'user'), {
  ...base,
  body: onOff,
  fresh: { of: ({ on }) => on },
});
export const empty = endpoint('auth', at('t.empty', 'DELETE', '/empty'), { ...base, response: noContent, status: 204 });
const hasNumber = { ...base, response: z.object({ a: z.number() }) };
export const leaky = endpoint('auth', at('t.leaky', 'GET', '/leaky'), hasNumber);
export const wrong = endpoint('auth', at('t.wrong', 'GET', '/wrong'), hasNumber);
export const fails = endpoint('auth', at('t.fails', 'GET', '/fails'), base);
export const rule = endpoint('auth', at('t.rule', 'GET', '/rule'), base);
export const guess = endpoint('auth', at('t.guess', 'POST', '/guess'), { ...base, rateClass: 'guess' });
export const accepted = endpoint('auth', at('t.accepted', 'POST', '/accepted'), base);
