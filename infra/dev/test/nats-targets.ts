import { SERVICES, type ServiceName } from '@cord/contracts/endpoint';
import { STREAMS } from '@cord/contracts/events/streams';
import { CREDITING_SERVICES } from '@cord/contracts/manifests/index';
import { RIGHTS_CHANGED, rightsRpc } from '@cord/contracts/rpc/rights';

/** The user whose rights and money the attacks target. */
export const VICTIM = 'a'.repeat(32);

/** Subjects on which a forged message would have an effect. */
export const TARGETS = [
  RIGHTS_CHANGED,
  rightsRpc.subject,
  `$KV.cord_revocations.user.${VICTIM}`,
  ...CREDITING_SERVICES.flatMap((caller) =>
    ['', '.p7', '.fallback'].map((part) => `cord.rpc.v1.ledger.credit.${caller}${part}`),
  ),
  'cord.rpc.v1.ledger.accrue.referrals',
  'cord.rpc.v1.ledger.open.auth',
  'cord.rpc.v1.referral.process.auth',
  `cord.user.v1.erased.${VICTIM}`,
  `cord.balance.v1.changed.${VICTIM}`,
  `cord.task.v1.completed.${VICTIM}`,
  `cord.claim.v1.made.${VICTIM}`,
];

/** Returns every JetStream request that could publish on its reply subject, allowed or not. */
export function requestsFor(service: ServiceName) {
  const found: { subject: string; body: string }[] = [];
  const add = (subject: string, body: unknown = {}) => found.push({ subject, body: JSON.stringify(body) });
  for (const { name: stream, subjects } of STREAMS) {
    const stored = (subjects[0] ?? '').replace('>', `changed.${VICTIM}`);
    add(`$JS.API.DIRECT.GET.${stream}`, { last_by_subj: stored });
    add(`$JS.API.DIRECT.GET.${stream}.${stored}`);
    add(`$JS.API.STREAM.MSG.GET.${stream}`, { last_by_subj: stored });
    add(`$JS.API.STREAM.INFO.${stream}`);
    add(`$JS.API.STREAM.SNAPSHOT.${stream}`, { deliver_subject: RIGHTS_CHANGED });
    for (const durable of [...SERVICES, `${service}-0-0`]) {
      add(`$JS.API.CONSUMER.INFO.${stream}.${durable}`);
      add(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`, { batch: 5, no_wait: true });
    }
  }
  return found;
}
