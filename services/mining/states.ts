import type { OutboxEvent } from '@cord/kit/outbox/items';
import type { Account, NodeVerb } from './ledger/account.js';
import { balanceEvent, nodeEvent } from './ledger/bus.js';
import type { Ledger } from './ledger/ledger.js';
import { type Moment, sessionRecord } from './ledger/settle.js';

/** Dependencies of the account states. */
export interface LedgerParts {
  ledger: Pick<Ledger, 'read' | 'relay' | 'moment'>;
}

/** Builds the current events of an account: its balance, or its node with the current or last session. */
const accountStates =
  (statesOf: (account: Account, at: Moment) => OutboxEvent[]) =>
  async ({ _id, dirtyAt }: { _id: string; dirtyAt?: number }, { ledger }: LedgerParts): Promise<OutboxEvent[]> => {
    // Entries are published before the events that follow from them (services/mining/ledger/README.md#outbox-and-relay).
    if (dirtyAt !== undefined) await ledger.relay(_id);
    const account = await ledger.read(_id);
    return account && account.erasedAtMs === null ? statesOf(account, ledger.moment()) : [];
  };

export const balanceStates = accountStates((account, at) => [balanceEvent(account, at)]);

const VERBS = { active: 'started', paused: 'paused', idle: 'stopped' } as const satisfies Record<string, NodeVerb>;
const SESSIONS = { active: 'active', paused: 'paused', idle: 'ended' } as const;

/** Returns no event for a node that never ran. */
export const nodeStates = accountStates((account, at) => {
  const { node, seq, totals } = account;
  if (node.sessionId === null) return [];
  const verb = VERBS[node.status];
  return [
    nodeEvent({
      key: `node:${node.sessionId}:${verb}:${seq}`,
      seq,
      verb,
      atMs: node.published?.atMs ?? node.lastAtMs,
      session: sessionRecord(account, SESSIONS[node.status], at),
      addresses: node.addresses ?? [],
      day: { dayKey: totals.day.key, ms: totals.day.ranMs },
    }),
  ];
});
