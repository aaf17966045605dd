import { z } from 'zod';
import * as at from '../addresses/notices.js';
import { endpoint, noContent } from '../endpoint.js';
import { openEnum } from '../events/envelope.js';
import { FIXED_NOTICE_KINDS, NOTICE_KINDS } from '../rules/notices.js';
import { id128, idParams, languageTag, pageCursor, time, timeZone, wholeNumber } from './fields.js';

/** Maximum number of notices in one page. */
const NOTICES_PAGE_MAX = 50;

/** One notice of a user; its text is made when it is read. */
const notice = z.object({
  id: z.string(),
  kind: openEnum([...NOTICE_KINDS, ...FIXED_NOTICE_KINDS]),
  at: time,
  title: z.string(),
  text: z.string(),
  /** The tab with more details. */
  tab: z.string().optional(),
  readAt: time.nullable(),
});
export type Notice = z.infer<typeof notice>;

const unread = z.number().int().min(0);

/** A browser that receives push messages. */
const pushDevice = z.object({
  /** First 32 hex characters of the SHA-256 of its push endpoint, which is unique per browser. */
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

/** The output of `PushSubscription.toJSON()` (W3C Push API), with the reader's language and time zone. */
const subscription = z.strictObject({
  endpoint: z.url({ protocol: /^https$/, error: 'must be an https address' }).max(1_000),
  keys: z.strictObject({
    p256dh: base64url(65, 'a public key of P-256'),
    auth: base64url(16, '16 bytes as base64url'),
  }),
  expirationTime: z.number().nullable().optional(),
  /** Time zone of the times in the text, default UTC. */
  zone: timeZone.optional(),
  /** Language of the page, used while the account has none. */
  locale: languageTag.optional(),
});

export const noticesEndpoints = {
  list: endpoint('notices', at.list, {
    params: idParams,
    query: z.strictObject({
      limit: wholeNumber(20, NOTICES_PAGE_MAX),
      /** Time and id of the previous page's last notice. */
      cursor: pageCursor(/^\d{1,15}-[0-9a-z][0-9a-z-]{0,79}$/),
      /** Time zone of the times in the text, `Europe/Berlin`; UTC when absent or unknown to the server. */
      zone: timeZone.optional(),
    }),
    response: z.object({ notices: z.array(notice), unread, nextCursor: z.string().nullable() }),
    summary: 'Notices of the last 30 days, newest first',
  }),
  read: endpoint('notices', at.read, {
    ignoresKey: true,
    params: idParams,
    body: z.strictObject({
      /** `at` of the newest notice that was read; earlier ones count as read too. */
      upTo: time,
    }),
    response: z.object({ unread }),
    summary: 'Mark notices as read',
  }),
  pushKey: endpoint('notices', at.pushKey, {
    params: idParams,
    /** `applicationServerKey` (RFC 8292); null when this system sends no push messages. */
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
