import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

/*
 * Formats of variable values (variables.ts): the schemas parse the environment's text, and their messages follow the
 * variable's name.
 */

export const PORT_MAX = 65_535;

export const text = z.string().min(1, 'must not be empty');
export const onOff = z.enum(['on', 'off'], 'must be on or off').default('on');
export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' });
export const mongodbUri = z.string().regex(/^mongodb(\+srv)?:\/\/.+/, 'must begin with mongodb:// or mongodb+srv://');
export const natsUrl = z
  .string()
  .refine((value) => value.split(',').every((one) => /^(nats|tls):/.test(schemeOf(one))), 'must be a NATS URL')
  .refine((value) => new Set(value.split(',').map(schemeOf)).size === 1, 'must be all tls:// or all nats://');
export const origin = z.string().refine(isOrigin, 'must be an origin such as https://cord.example');
export const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .refine((value) => value <= PORT_MAX, { error: `must be at most ${PORT_MAX}`, abort: true });
export const base58 = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'must be a base58 address');

/** A text of a given form. @param what names it in the message "must be ..." */
export const likeThis = (form: RegExp, what: string) => z.string().regex(form, `must be ${what}`);

/** A number written in a given form. */
export const numberLike = (form: RegExp, what: string) => likeThis(form, what).transform(Number);

/** A comma-separated list; empty parts are dropped. */
export const listOf = (isOne: (part: string) => boolean, message: string) =>
  z
    .string()
    .transform((list) => list.split(',').flatMap((part) => part.trim() || []))
    .refine((parts) => parts.every(isOne), message);

/** An ISO 8601 time, converted to ms since epoch. */
export const isoTime = z
  .string()
  .refine((time) => !Number.isNaN(Date.parse(time)), 'must be an ISO 8601 time')
  .transform((time) => Date.parse(time));

const SECRET_CHARS_MIN = 32;

/** A secret of at least `charsMin` characters. */
export function secret(charsMin = SECRET_CHARS_MIN) {
  return z.string().min(charsMin, `must have at least ${charsMin} characters`);
}

/**
 * Parses `new,former` during the renewal of a secret, or a single value.
 * @throws RangeError that states the problem, never a value
 */
export function parseSecretValues(values: string): readonly string[] {
  const each = values.split(',');
  if (each.length > 2) throw new RangeError('must be one value, or a new and a former one with a comma');
  if (each.some((value) => value.length < SECRET_CHARS_MIN))
    throw new RangeError(`must have at least ${SECRET_CHARS_MIN} characters in each value`);
  return each;
}

export const renewable = z.string().transform((values, context) => {
  try {
    return parseSecretValues(values);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as RangeError).message });
    return z.NEVER;
  }
});

/** Whether a text is an address or a CIDR range. */
export function isCidr(entry: string): boolean {
  return isIP(entry) !== 0 || (isIP(entry.split('/')[0] ?? '') !== 0 && ipaddr.isValidCIDR(entry));
}

function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.origin === value;
}

/** Returns an address's scheme; empty for an invalid one. */
function schemeOf(address: string): string {
  const url = withNatsScheme(address);
  return URL.canParse(url) ? new URL(url).protocol : '';
}

/** Adds the scheme of a NATS address, which may be omitted. */
export function withNatsScheme(value: string): string {
  const url = value.trim();
  return /^[a-z]+:\/\//.test(url) ? url : `nats://${url}`;
}
