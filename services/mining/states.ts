import { balanceChanged } from '@cord/contracts/events/balance';
import { nodePaused, nodeStarted, nodeStopped } from '@cord/contracts/events/node';
import type { OutboxEvent } from '@cord/kit/outbox/items';
import { type StateSource, type StreamSources, stateSource } from '@cord/kit/republish';
import type { Account, NodeVerb } from './ledger/account.js';
import { balanceEvent, nodeEvent } from './ledger/bus.js';
import type { Ledger } from './ledger/ledger.js';
import { type Moment, sessionRecord } from './ledger/settle.js';
import type { AccountDoc } from './store/models.js';

/** What stands in the streams of mining: of each account the balance, and the node with the session that it runs or ran last. */
export function miningStates(ledger: Pick<Ledger, 'read' | 'relay' | 'moment'>): StreamSources {
  const source = (kinds: StateSource['kinds'], tell: (account: Account, at: Moment) => OutboxEvent[]) =>
    stateSource<AccountDoc>({
      collection: 'accounts',
      kinds,
      isGone: ({ erasedAtMs }) => erasedAtMs !== null,
      async tell({ _id, dirtyAt }) {
        // Entries come before what tells of them (services/mining/ledger/README.md#outbox-and-relay).
        if (dirtyAt !== undefined) await ledger.relay(_id);
        const account = await ledger.read(_id);
        return account && account.erasedAtMs === null ? tell(account, ledger.moment()) : [];
      },
    });
  return {
    CORD_BALANCE: [source([balanceChanged], (account, at) => [balanceEvent(account, at)])],
    CORD_NODES: [source([nodeStarted, nodePaused, nodeStopped], nodeStates)],
  };
}

const VERBS = { active: 'started', paused: 'paused', idle: 'stopped' } as const satisfies Record<string, NodeVerb>;
const SESSIONS = { active: 'active', paused: 'paused', idle: 'ended' } as const;

/** The node as it stands; none of one that never ran. */
function nodeStates(account: Account, at: Moment): OutboxEvent[] {
  const { node, seq, totals } = account;
  if (node.sessionId === null) return [];
  const verb = VERBS[node.status];
  return [
    nodeEvent({
      key: `node:${node.sessionId}:${verb}:${seq}`,
      seq,
      verb,
      atMs: node.told?.atMs ?? node.lastAtMs,
      session: sessionRecord(account, SESSIONS[node.status], at),
      addresses: node.addresses ?? [],
      day: { dayKey: totals.day.key, ms: totals.day.ranMs },
    }),
  ];
}
