import { createHash } from 'node:crypto';
import { type EventKind, subjectOf } from '@cord/contracts/events/envelope';
import { nodeStarted, nodeStopped } from '@cord/contracts/events/node';
import { dayKey } from '@cord/contracts/rules/days';
import { NATS_PAYLOAD_BYTES_MAX } from '@cord/kit/bounds';
import type { MovableClock } from '@cord/kit/clock';
import type { Nats } from '@cord/kit/nats';
import { eventText } from '@cord/kit/nats/publishable';
import { randomId } from '@cord/kit/testing/index';
import { nodeSession } from '@cord/kit/testing/node-state';

/** Publishes an event as another service would, or an older one late. */
export async function publish(nats: Nats, kind: EventKind, userId: string, seq: number, state: object): Promise<void> {
  const id = `${kind.thing}.${kind.verb}:${userId}:${seq}:${randomId()}`;
  const payload = { v: 1, id, at: Date.now(), userId, seq: String(seq), ...state };
  // Bypasses the publisher's guard against older states, to test that the consumer rejects them itself.
  const subject = subjectOf(kind, userId);
  await nats.js.publish(subject, eventText(subject, payload, NATS_PAYLOAD_BYTES_MAX), { msgID: id });
}

/** Publishes a mining session of this length at an address that has just ended. */
export async function mineAt(
  nats: Nats,
  clock: MovableClock,
  session: { userId: string; addressHash: string; minutes: number; seq: number },
): Promise<void> {
  const nowMs = clock.now();
  const ms = session.minutes * 60_000;
  const { userId, addressHash, seq } = session;
  const addresses = [{ hash: addressHash, ms, fromRanMs: 0 }];
  const day = { dayKey: dayKey(nowMs), ms };
  await publish(nats, nodeStopped, userId, seq, nodeSession(nowMs - ms, nowMs, { addressHash, addresses, day }));
}

/** Publishes a running node with its time by address. */
export async function publishTimes(
  nats: Nats,
  clock: MovableClock,
  mined: { userId: string; seq: number; addresses: { hash: string; ms: number }[] },
): Promise<void> {
  const nowMs = clock.now();
  const ms = mined.addresses.reduce((sum, at) => sum + at.ms, 0);
  const addresses = mined.addresses.map((at) => ({ ...at, fromRanMs: 0 }));
  const known = { sessionId: mined.userId, addresses, day: { dayKey: dayKey(nowMs), ms } };
  await publish(nats, nodeStarted, mined.userId, mined.seq, nodeSession(nowMs - ms, nowMs, known));
}

/** Returns a hash in the form of address hashes. */
export function hash32(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
