import { endpoint, noContent } from '@cord/contracts/endpoint';
import { id128, idParams, wholeNumber } from '@cord/contracts/http/fields';
import { z } from 'zod';

/* One endpoint for each thing that the guards must do. */

const body = z.strictObject({
  name: z.string().max(10),
  nested: z.strictObject({ on: z.boolean() }).optional(),
  deep: z.unknown().optional(),
});
/** What an endpoint is as far as it declares nothing else. */
const base = { service: 'auth', summary: 'test', access: 'public', response: z.object({}) } as const;
export const echo = endpoint({ ...base, id: 't.echo', method: 'POST', path: '/echo', body, response: body });
export const list = endpoint({
  ...base,
  id: 't.list',
  method: 'GET',
  path: '/list',
  query: z.strictObject({ limit: wholeNumber(10) }),
  response: z.object({ limit: z.number(), ip: z.string(), user: z.string().nullable() }),
});
export const mine = endpoint({
  ...base,
  id: 't.mine',
  method: 'GET',
  path: '/users/:id/mine',
  access: 'self',
  params: idParams,
  response: z.object({ id: id128 }),
});
export const write = endpoint({
  ...base,
  id: 't.write',
  method: 'POST',
  path: '/write',
  access: 'self',
  body: z.strictObject({ userId: id128.optional() }),
  response: z.object({ ok: z.literal(true) }),
});
export const save = endpoint({ ...write, id: 't.save', path: '/save', whileStale: true });
export const admin = endpoint({ ...base, id: 't.admin', method: 'GET', path: '/admin', access: 'admin' });
const onOff = z.strictObject({ on: z.boolean() });
/** Every call wants a fresh sign-in, or those with `on`. */
export const freshWrite = endpoint({
  ...base,
  id: 't.freshWrite',
  method: 'POST',
  path: '/fresh',
  access: 'user',
  body: onOff,
  fresh: true,
});
export const freshOn = endpoint({
  ...base,
  id: 't.freshOn',
  method: 'PUT',
  path: '/fresh',
  access: 'user',
  body: onOff,
  fresh: { of: ({ on }) => on },
});
export const empty = endpoint({
  ...base,
  id: 't.empty',
  method: 'DELETE',
  path: '/empty',
  response: noContent,
  status: 204,
});
export const leaky = endpoint({
  ...base,
  id: 't.leaky',
  method: 'GET',
  path: '/leaky',
  response: z.object({ a: z.number() }),
});
export const wrong = endpoint({
  ...base,
  id: 't.wrong',
  method: 'GET',
  path: '/wrong',
  response: z.object({ a: z.number() }),
});
export const fails = endpoint({ ...base, id: 't.fails', method: 'GET', path: '/fails' });
export const rule = endpoint({ ...base, id: 't.rule', method: 'GET', path: '/rule' });
export const guess = endpoint({ ...base, id: 't.guess', method: 'POST', path: '/guess', rateClass: 'guess' });
export const accepted = endpoint({ ...base, id: 't.accepted', method: 'POST', path: '/accepted' });
