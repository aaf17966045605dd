import { balanceChanged } from '@cord/contracts/events/balance';
import { subjectOf } from '@cord/contracts/events/envelope';
import { nodePaused, nodeStarted, nodeStopped } from '@cord/contracts/events/node';
import { streamOf } from '@cord/contracts/events/streams';
import { microFromString, microToString } from '@cord/contracts/rules/money';
import type { Nats } from '@cord/kit/nats';
import { JetStreamApiError } from '@nats-io/jetstream';
import { accountState } from './account-state.js';
import type { LedgerBus } from './ports.js';
import type { Moment } from './settle.js';

const NODE_KINDS = { started: nodeStarted, paused: nodePaused, stopped: nodeStopped } as const;
const BALANCES = streamOf(balanceChanged.thing).name;
const PUBLISH_TIMEOUT_MS = 5_000;
/** JetStream: the last message of the subject is not the expected one. */
const WRONG_LAST_SEQUENCE = 10_071;

/** The ledger's events over JetStream. */
export function createLedgerBus(nats: Pick<Nats, 'publish' | 'js' | 'jsm'>, moment: () => Moment): LedgerBus {
  return {
    async lastBalance(userId) {
      const last = await nats.jsm.streams.getMessage(BALANCES, { last_by_subj: subjectOf(balanceChanged, userId) });
      return last && { place: last.seq, seq: microFromString(last.json<{ seq: string }>().seq) };
    },
    async publishBalance(account, afterPlace) {
      const at = moment();
      const { userId } = account;
      const id = `balance:${userId}:${account.seq}`;
      const state = accountState(account, at);
      const event = balanceChanged.schema.parse({
        v: 1,
        id,
        at: at.nowMs,
        userId,
        seq: microToString(account.seq),
        ...state,
      });
      try {
        const ack = await nats.js.publish(subjectOf(balanceChanged, userId), JSON.stringify(event), {
          msgID: id,
          timeout: PUBLISH_TIMEOUT_MS,
          expect: { lastSubjectSequence: afterPlace },
        });
        return ack.seq;
      } catch (error) {
        if (error instanceof JetStreamApiError && error.code === WRONG_LAST_SEQUENCE) return null;
        throw error;
      }
    },
    async publishNode({ key, seq, verb, atMs, session, addresses = [] }) {
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
        addresses: addresses.map(({ hash, ms }) => ({ hash, ms })),
      };
      await nats.publish(subjectOf(NODE_KINDS[verb], session.userId), event, key);
    },
  };
}
