import type { Rpc } from '@cord/contracts/rpc/rpc';
import { type AuditEntry, type AuditPlace, auditOrder } from '@cord/kit/audit-log';
import type { Nats } from '@cord/kit/nats';
import { type ParkedPlace, parkedOrder } from '@cord/kit/outbox/documents';
import { describe, expect, it } from 'vitest';
import { createAuditTrail } from './audit-trail.js';
import { createParkedCredits } from './parked-credits.js';

const adminId = 'a'.repeat(32);
const LIMIT = 3;

/** Items of all services, most of them of the same moments. */
const moments = (count: number, step: number) => Array.from({ length: count }, (_, n) => 1_000 + (n % 4) * step);

/** Services that answer from these lists. */
function answering(
  answers: (service: string, page: { after: never; limit: number }) => unknown,
): Pick<Nats, 'request'> {
  const request = async ({ subject }: Rpc, page: { after: never; limit: number }) => {
    const service = subject.split('.').at(-1) ?? '';
    return answers(service, page);
  };
  return { request: request as unknown as Nats['request'] };
}

describe('a list merged from all services', () => {
  it('returns every audit entry once, newest first, to the end', async () => {
    const act = (service: string) => (atMs: number, n: number) =>
      ({ id: `${n}${service.length}`, atMs, adminId, action: service, target: 't', detail: {} }) as AuditEntry;
    const acts: Record<string, AuditEntry[]> = {};
    for (const service of ['auth', 'tasks', 'referrals', 'rewards']) {
      acts[service] = moments(7, service.length).map(act(service));
    }
    const log = (service: string, { after, limit }: { after: AuditPlace | null; limit: number }) =>
      (acts[service] ?? [])
        .filter((entry) => !after || auditOrder(after, entry) < 0)
        .sort(auditOrder)
        .slice(0, limit);
    const own = { newest: async (page: Parameters<typeof log>[1]) => log('auth', page) };
    const trail = createAuditTrail(
      own,
      answering((service, page) => ({ entries: log(service, page) })),
    );

    const read: AuditEntry[] = [];
    for (let after: AuditPlace | null = null; ; after = read.at(-1) ?? null) {
      const { entries, missing } = await trail.newest({ after, limit: LIMIT });
      expect(missing).toEqual([]);
      if (entries.length === 0) break;
      read.push(...entries);
    }
    expect(read).toEqual(Object.values(acts).flat().sort(auditOrder));
  });

  it('returns every parked credit once, to the end', async () => {
    const credits: Record<string, { key: string; parkedAt: number; since: number }[]> = {};
    for (const service of ['tasks', 'referrals', 'rewards']) {
      credits[service] = moments(7, service.length).map((parkedAt, n) => ({
        key: `${service}:${n}`,
        parkedAt,
        since: parkedAt - 500,
      }));
    }
    const placed = (service: string) => (credits[service] ?? []).toSorted(parkedOrder);
    const list = createParkedCredits(
      { write: async () => undefined },
      answering((service, { after, limit }: { after: ParkedPlace | null; limit: number }) => ({
        credits: placed(service)
          .filter((credit) => !after || parkedOrder(after, credit) < 0)
          .slice(0, limit),
      })),
    );
    const read: ParkedPlace[] = [];
    for (let after: ParkedPlace | null = null; ; after = read.at(-1) ?? null) {
      const page = await list.oldest({ after, limit: LIMIT });
      if (page.credits.length === 0) break;
      read.push(...page.credits);
    }
    const all = ['tasks', 'referrals', 'rewards'].flatMap(placed).sort(parkedOrder);
    expect(read.map(({ key }) => key)).toEqual(all.map(({ key }) => key));
  });
});
