import { balanceChanged } from '@cord/contracts/events/balance';
import { subjectOf } from '@cord/contracts/events/envelope';
import { nodePaused, nodeStarted, nodeStopped } from '@cord/contracts/events/node';
import { streamOf } from '@cord/contracts/events/streams';
import { microFromString, microToString } from '@cord/contracts/rules/money';
import { NATS_PAYLOAD_BYTES_MAX } from '@cord/kit/bounds';
import type { Nats } from '@cord/kit/nats';
import { buryEvent, type Undertaking } from '@cord/kit/nats/dead-letters';
import { eventText, UnpublishableEvent } from '@cord/kit/nats/publishable';
import { JetStreamApiError } from '@nats-io/jetstream';
import { accountState } from './account-state.js';
import type { LedgerBus } from './ports.js';
import type { Moment } from './settle.js';

const NODE_KINDS = { started: nodeStarted, paused: nodePaused, stopped: nodeStopped } as const;
const BALANCES = streamOf(balanceChanged.thing).name;
const PUBLISH_TIMEOUT_MS = 5_000;
/** JetStream: the last message of the subject is not the expected one. */
const WRONG_LAST_SEQUENCE = 10_071;

type BusNats = Undertaking & Pick<Nats, 'nc' | 'publish' | 'jsm'>;

/**
 * The ledger's events over JetStream. One that no stream will ever take becomes a dead letter and counts as published:
 * it must not keep its account's outbox, and with it the account's credits, for ever.
 */
export function createLedgerBus(nats: BusNats, moment: () => Moment): LedgerBus {
  const orSetAside = async <R>(
    event: { subject: string; payload: unknown; msgId: string },
    aside: R,
    publish: () => Promise<R>,
  ) => {
    try {
      return await publish();
    } catch (err) {
      if (!(err instanceof UnpublishableEvent)) throw err;
      await buryEvent(nats, { ...event, err });
      return aside;
    }
  };
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
      const payload = { v: 1, id, at: at.nowMs, userId, seq: microToString(account.seq), ...state };
      const subject = subjectOf(balanceChanged, userId);
      return orSetAside({ subject, payload, msgId: id }, afterPlace, async () => {
        const text = eventText(subject, payload, nats.nc.info?.max_payload ?? NATS_PAYLOAD_BYTES_MAX);
        try {
          const ack = await nats.js.publish(subject, text, {
            msgID: id,
            timeout: PUBLISH_TIMEOUT_MS,
            expect: { lastSubjectSequence: afterPlace },
          });
          return ack.seq;
        } catch (error) {
          if (error instanceof JetStreamApiError && error.code === WRONG_LAST_SEQUENCE) return null;
          throw error;
        }
      });
    },
    async publishNode({ key, seq, verb, atMs, session, addresses = [], day }) {
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
        ...(day ? { day } : {}),
      };
      const subject = subjectOf(NODE_KINDS[verb], session.userId);
      await orSetAside({ subject, payload: event, msgId: key }, undefined, async () => {
        await nats.publish(subject, event, key);
      });
    },
  };
}
