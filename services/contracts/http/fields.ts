import { z } from 'zod';
import { LEADERBOARD_MAX } from '../rules/timings.js';

/** 128 random bits as lower-case hex: user ids and sign-in or mining session ids. */
export const id128 = z.string().regex(/^[0-9a-f]{32}$/, 'must be an id of 32 hex characters');
/** CORD as a number with at most 6 decimals. */
export const cordAmount = z.number();
/** ISO 8601 time in UTC. */
export const time = z.iso.datetime();
/** UTC date, `2026-11-21`. */
export const day = z.iso.date();
/** IANA name of a time zone, `Europe/Berlin`; the reader's clock decides whether it exists. */
export const timeZone = z.string().regex(/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/, 'must be the name of a time zone');
/** A language, `de` or `pt-BR` (BCP 47). */
export const languageTag = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, 'must be a language tag')
  .max(35);
/** A free key in a path: task ids, claim keys. */
export const slug = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be a short name of a-z, 0-9 and -');

/** A name that a person chooses. Names of built-in object properties, such as `constructor`, are rejected. */
export const newSlug = slug.refine((name) => !(name in Object.prototype), {
  error: 'is not free: choose another name',
  params: { de: 'ist nicht frei: wähle einen anderen Namen' },
});

/** The admin's reason, for the audit log. */
export const reason = z.string().trim().min(3).max(500);

/** Path with a user's id. */
export const idParams = z.strictObject({ id: id128 });
export const userIdParams = z.strictObject({ userId: id128 });
/** A body that names the user: client A sends it, client B may omit it. */
export const userIdBody = z.strictObject({ userId: id128.optional() });

/** A positive whole number in a query; 0, negative, fractional or text is 400. */
export function wholeNumber(defaultValue: number, most = LEADERBOARD_MAX) {
  return z
    .string()
    .regex(/^[1-9]\d{0,5}$/, 'must be a whole number of at least 1')
    .transform(Number)
    .refine((value) => value <= most, `must be at most ${most}`)
    .default(defaultValue);
}

/** The `nextCursor` of the previous response. It stays valid when the item it names is deleted. */
export function pageCursor(form: RegExp) {
  return z.string().regex(form, 'must be the nextCursor of an answer').optional();
}

/**
 * A number with at most this many decimals, exactly: `multipleOf` alone accepts 1e-130 as a multiple of everything. `multipleOf`
 * stays for the API document.
 */
export function decimalsAtMost(places: number, schema: z.ZodNumber) {
  return schema.multipleOf(Number(`1e-${places}`)).refine((value) => Number(value.toFixed(places)) === value, {
    error: `must have at most ${places} decimals`,
    params: { de: `darf höchstens ${places} Nachkommastellen haben` },
  });
}

/** A number from a client that is accepted and never credited. */
export const ignoredNumber = z.number().finite().optional();
