import { z } from 'zod';
import * as at from '../addresses/notices.js';
import { endpoint } from '../endpoint.js';
import { openEnum } from '../events/envelope.js';
import { NOTICE_KINDS } from '../rules/notices.js';
import { idParams, pageCursor, time, wholeNumber } from './fields.js';

/** Notices of one page, at the most. */
export const NOTICES_PAGE_MAX = 50;

/** One thing that a user is told, in words of the moment it is read. */
export const notice = z.object({
  id: z.string(),
  kind: openEnum(NOTICE_KINDS),
  at: time,
  title: z.string(),
  text: z.string(),
  /** The tab where more of it stands. */
  tab: z.string().optional(),
  readAt: time.nullable(),
});
export type Notice = z.infer<typeof notice>;

const unread = z.number().int().min(0);

export const noticesEndpoints = {
  list: endpoint({
    ...at.list,
    service: 'notices',
    params: idParams,
    query: z.strictObject({
      limit: wholeNumber(20, NOTICES_PAGE_MAX),
      /** Time and id of the last notice of the page before. */
      cursor: pageCursor(/^\d{1,15}-[0-9a-z][0-9a-z-]{0,79}$/),
      /** Whose times of day the words are in, `Europe/Berlin`; UTC without it, and for one that the server does not know. */
      zone: z
        .string()
        .regex(/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/, 'must be the name of a time zone')
        .optional(),
    }),
    response: z.object({ notices: z.array(notice), unread, nextCursor: z.string().nullable() }),
    summary: 'What the user was told in the last 30 days, newest first',
  }),
  read: endpoint({
    ...at.read,
    service: 'notices',
    params: idParams,
    body: z.strictObject({
      /** `at` of the newest notice that was read; those before it are read as well. */
      upTo: time,
    }),
    response: z.object({ unread }),
    summary: 'Mark notices as read',
  }),
} as const;
