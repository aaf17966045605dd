import { z } from 'zod';
import * as at from '../addresses/notices.js';
import { endpoint, noContent } from '../endpoint.js';
import { openEnum } from '../events/envelope.js';
import { FIXED_NOTICE_KINDS, NOTICE_KINDS } from '../rules/notices.js';
import { id128, idParams, languageTag, pageCursor, time, timeZone, wholeNumber } from './fields.js';

/** Notices of one page, at the most. */
const NOTICES_PAGE_MAX = 50;

/** One notice of a user, with a text made when it is read. */
const notice = z.object({
  id: z.string(),
  kind: openEnum([...NOTICE_KINDS, ...FIXED_NOTICE_KINDS]),
  at: time,
  title: z.string(),
  text: z.string(),
  /** The tab where more of it stands. */
  tab: z.string().optional(),
  readAt: time.nullable(),
});
export type Notice = z.infer<typeof notice>;

const unread = z.number().int().min(0);

/** A browser that is pushed to. */
const pushDevice = z.object({
  /** The first 32 hex characters of the SHA-256 of its endpoint: a browser has its own. */
  id: id128,
  /** Browser and system, `Firefox on Android`. */
  device: z.string(),
  allowedAt: time,
  lastSentAt: time.nullable(),
});
export type PushDevice = z.infer<typeof pushDevice>;

const base64url = (bytes: number, what: string) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+={0,2}$/, `must be ${what}`)
    .refine((text) => Math.floor((text.replace(/=+$/, '').length * 3) / 4) === bytes, `must be ${what}`);

/** As `PushSubscription.toJSON()` gives it (W3C Push API), and the language and time zone of its reader. */
const subscription = z.strictObject({
  endpoint: z.url({ protocol: /^https$/, error: 'must be an https address' }).max(1_000),
  keys: z.strictObject({
    p256dh: base64url(65, 'a public key of P-256'),
    auth: base64url(16, '16 bytes as base64url'),
  }),
  expirationTime: z.number().nullable().optional(),
  /** Time zone of the times in the text; UTC without it. */
  zone: timeZone.optional(),
  /** The language of the page, which holds while the account has none. */
  locale: languageTag.optional(),
});

export const noticesEndpoints = {
  list: endpoint('notices', at.list, {
    params: idParams,
    query: z.strictObject({
      limit: wholeNumber(20, NOTICES_PAGE_MAX),
      /** Time and id of the last notice of the page before. */
      cursor: pageCursor(/^\d{1,15}-[0-9a-z][0-9a-z-]{0,79}$/),
      /** Time zone of the times in the text, `Europe/Berlin`; UTC without it, and for one that is unknown to the server. */
      zone: timeZone.optional(),
    }),
    response: z.object({ notices: z.array(notice), unread, nextCursor: z.string().nullable() }),
    summary: 'Notices of the last 30 days, newest first',
  }),
  read: endpoint('notices', at.read, {
    ignoresKey: true,
    params: idParams,
    body: z.strictObject({
      /** `at` of the newest notice that was read; those before it are read as well. */
      upTo: time,
    }),
    response: z.object({ unread }),
    summary: 'Mark notices as read',
  }),
  pushKey: endpoint('notices', at.pushKey, {
    params: idParams,
    /** `applicationServerKey` (RFC 8292); null where this system pushes nothing. */
    response: z.object({ key: z.string().nullable() }),
    summary: 'The key that a browser subscribes with',
  }),
  pushDevices: endpoint('notices', at.pushDevices, {
    params: idParams,
    response: z.array(pushDevice),
    summary: 'The browsers that are pushed to, the newest first',
  }),
  pushSubscribe: endpoint('notices', at.pushSubscribe, {
    params: idParams,
    body: subscription,
    response: pushDevice,
    summary: 'Push to this browser; of more than five the oldest goes',
  }),
  pushRemove: endpoint('notices', at.pushRemove, {
    params: idParams,
    body: z.strictObject({ id: id128 }),
    response: noContent,
    status: 204,
    summary: 'Push to a browser no more',
  }),
  pushTest: endpoint('notices', at.pushTest, {
    ignoresKey: true,
    params: idParams,
    body: z.strictObject({ id: id128 }),
    response: z.object({ success: z.literal(true) }),
    summary: 'Push one message to a browser, to see that it comes',
    rateClass: 'guess',
  }),
} as const;
