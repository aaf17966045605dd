import { z } from 'zod';
import type { ServiceName } from '../endpoint.js';
import { timeMs } from '../events/envelope.js';
import { id128 } from '../http/fields.js';
import { rpc } from './rpc.js';

/** Services beside auth whose admins' acts stand in a log of their own. */
export const AUDITED_SERVICES = ['mining', 'tasks', 'referrals', 'rewards'] as const;

const auditedAct = z.object({
  id: z.string(),
  atMs: timeMs,
  adminId: id128,
  action: z.string(),
  target: z.string(),
  detail: z.record(z.string(), z.unknown()),
  requestId: z.string().optional(),
});

/** Which acts are looked for; what is left out is no question. A target or an act is one of those named. */
const auditFilter = z.object({
  adminId: id128.optional(),
  actions: z.array(z.string()).optional(),
  targets: z.array(z.string()).optional(),
  fromMs: timeMs.optional(),
  toMs: timeMs.optional(),
});
export type AuditFilter = z.infer<typeof auditFilter>;

/** Has auth write an act of an operator at a command line into its audit log, before it is done. */
export const auditNoteRpc = rpc(
  'audit.note',
  { from: ['setup'], by: 'auth' },
  z.object({
    action: z.enum(['dead-letter.retry']),
    target: z.string().max(200),
    /** `by`: the user of the operating system. */
    detail: z.object({ by: z.string().max(100) }).catchall(z.string().max(500)),
  }),
  z.object({}),
);

/** What admins did in a service, newest first; those of a filter behind a place of the list. */
export function auditRpc(service: ServiceName) {
  return rpc(
    `audit.${service}`,
    { from: ['auth'], by: service, toEach: true },
    z.object({
      limit: z.number().int().min(1),
      after: z.object({ atMs: timeMs, id: z.string() }).nullable().default(null),
      filter: auditFilter.default({}),
    }),
    z.object({ entries: z.array(auditedAct) }),
  );
}
