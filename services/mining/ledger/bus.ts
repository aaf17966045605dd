import { balanceChanged } from '@cord/contracts/events/balance';
import { subjectOf } from '@cord/contracts/events/envelope';
import { nodePaused, nodeStarted, nodeStopped } from '@cord/contracts/events/node';
import { microToString } from '@cord/contracts/rules/money';
import type { Nats } from '@cord/kit/nats';
import { accountState } from './account-state.js';
import type { LedgerBus } from './ports.js';
import type { Moment } from './settle.js';

const NODE_KINDS = { started: nodeStarted, paused: nodePaused, stopped: nodeStopped } as const;

/** The ledger's events over JetStream; message ids make a repeated publish harmless. */
export function createLedgerBus(nats: Pick<Nats, 'publish'>, moment: () => Moment): LedgerBus {
  return {
    async publishBalance(account) {
      const at = moment();
      const id = `balance:${account.userId}:${account.seq}`;
      const { userId } = account;
      const event = { v: 1, id, at: at.nowMs, userId, seq: microToString(account.seq), ...accountState(account, at) };
      await nats.publish(subjectOf(balanceChanged, userId), event, id);
    },
    async publishNode({ key, seq, verb, atMs, session }) {
      const event = {
        v: 1,
        id: key,
        at: atMs,
        userId: session.userId,
        seq: microToString(seq),
        sessionId: session.id,
        startedAt: session.startedAtMs,
        creditedUntil: session.creditedUntilMs,
        leaseUntil: session.leaseUntilMs,
        earnings: microToString(session.earnedMicro),
        sessionMs: session.sessionMs,
        ranMs: session.ranMs,
        ...(session.addressHash === null ? {} : { addressHash: session.addressHash }),
      };
      await nats.publish(subjectOf(NODE_KINDS[verb], session.userId), event, key);
    },
  };
}
