import { z } from 'zod';
import type { ServiceName } from '../endpoint.js';
import { timeMs } from '../events/envelope.js';
import { id128 } from '../http/fields.js';
import { rpc } from './rpc.js';

/** Services beside auth with an audit log of their own. */
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

/** Filter for audit entries; an omitted field does not filter. A target or an act matches any of those listed. */
const auditFilter = z.object({
  adminId: id128.optional(),
  actions: z.array(z.string()).optional(),
  targets: z.array(z.string()).optional(),
  fromMs: timeMs.optional(),
  toMs: timeMs.optional(),
});
export type AuditFilter = z.infer<typeof auditFilter>;

/** Makes auth write a command-line act of an operator to its audit log, before the act is done. */
export const auditNoteRpc = rpc(
  'audit.note',
  { from: ['setup'], by: 'auth' },
  z.object({
    action: z.enum(['dead-letter.retry']),
    target: z.string().max(200),
    /** `by`: the operating system user. */
    detail: z.object({ by: z.string().max(100) }).catchall(z.string().max(500)),
  }),
  z.object({}),
);

/** Admins' acts in a service, newest first, filtered and from a cursor on. */
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
