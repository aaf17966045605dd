import { z } from 'zod';
import * as at from '../addresses/client-errors.js';
import { endpoint, noContent } from '../endpoint.js';
import { CLIENT_ERRORS_LIMIT_BYTES } from '../limits.js';
import { pageCursor, time, wholeNumber } from './fields.js';

/** Maximum faults and visits in one message; a browser sends the rest in further messages. */
const ERRORS_MAX = 20;
const VISITS_MAX = 20;
const LISTED_DEFAULT = 50;

/** A version as the build writes them: `1.1.0`, `1.0.0-3fa9c1d2`, `dev`. */
const version = z.string().regex(/^[\w.+-]{1,64}$/, 'must be a version');
/** A module of the registry, `mfe_tasks`. */
const moduleName = z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, 'must be the name of a module');
/** A part of a module or an area of the shell, `tasks/tasks-card`. */
const part = z.string().regex(/^[a-z][a-z0-9/-]{0,63}$/, 'must be the name of a part');

const versions = z.strictObject({ shell: version, sdk: version, module: version.optional() });

/** One front-end fault reported by a browser; nothing in it identifies the user. */
const clientError = z.strictObject({
  message: z.string().trim().min(1).max(500),
  stack: z.string().max(4_000).optional(),
  module: moduleName.optional(),
  part: part.optional(),
  versions,
  /** When it happened, by the browser's estimate of the server's time. */
  at: time,
});

/** The same fault in the same versions on one UTC day. */
const clientErrorGroup = z.object({
  id: z.string(),
  message: z.string(),
  stack: z.string().nullable(),
  module: z.string().nullable(),
  part: z.string().nullable(),
  versions: z.object({ shell: z.string(), sdk: z.string(), module: z.string().nullable() }),
  count: z.number().int(),
  firstAt: time,
  lastAt: time,
});

export const clientErrorEndpoints = {
  report: endpoint('auth', at.report, {
    body: z.strictObject({
      errors: z.array(clientError).max(ERRORS_MAX),
      visits: z
        .array(z.strictObject({ module: moduleName, version, n: z.number().int().min(1).max(1_000) }))
        .max(VISITS_MAX)
        .optional(),
    }),
    response: noContent,
    status: 204,
    summary: 'Report faults in the page, and how often each module was shown',
    rateClass: 'report',
    bodyLimitBytes: CLIENT_ERRORS_LIMIT_BYTES,
  }),
  list: endpoint('auth', at.list, {
    query: z.strictObject({
      limit: wholeNumber(LISTED_DEFAULT),
      cursor: pageCursor(/^\d{1,15}-[0-9a-z-]{1,64}$/),
    }),
    response: z.object({ errors: z.array(clientErrorGroup), nextCursor: z.string().nullable() }),
    summary: 'Admins: faults in the pages of the last 7 days, the latest first',
  }),
} as const;
