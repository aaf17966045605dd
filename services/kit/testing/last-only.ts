import { type EventKind, kindName, NOBODY } from '@cord/contracts/events/envelope';
import { THINGS_OF_ALL } from '@cord/contracts/events/streams';
import type { EventHandler } from '../nats/consume.js';
import { eventText } from '../nats/publishable.js';
import type { Nats } from '../nats.js';

/** One event of a user, without a message id. */
export interface TestEvent {
  kind: EventKind;
  seq: number;
  state: object;
}

/**
 * Returns the ways in which a state stream may deliver these events: all in order; all, each twice and backwards; only the
 * last of each subject, in order and backwards (services/README.md#events). A consumer must reach the same result with each.
 */
export function deliveriesOf(events: readonly TestEvent[]): [string, readonly TestEvent[]][] {
  const last = new Map<string, TestEvent>();
  for (const event of events) {
    const subject = kindName(event.kind);
    last.delete(subject);
    last.set(subject, event);
  }
  const only = [...last.values()];
  return [
    ['all in order', events],
    ['all twice and backwards', [...events, ...events].reverse()],
    ['only the last of each subject', only],
    ['only the last of each subject, backwards', only.toReversed()],
  ];
}

/**
 * Delivers events to a service's handlers, serialised as over the wire.
 * @param listen starts the service's consumers on the given NATS
 * @returns a function that delivers one event of a user and resolves when every consumer has handled it
 */
export function createTestDelivery(
  listen: (nats: Nats) => unknown,
): (userId: string, event: TestEvent) => Promise<void> {
  const handlers: EventHandler[] = [];
  const take = (options: { handlers: readonly EventHandler[] }) => {
    handlers.push(...options.handlers);
    return { caughtUp: Promise.resolve(), stop: async () => undefined };
  };
  listen({ consume: take, orderedConsume: take } as unknown as Nats);
  let streamSeq = 0;
  return async (userId, { kind, seq, state }) => {
    const id = `${kind.thing}.${kind.verb}:${userId}:${seq}`;
    const subject = `cord.${kindName(kind)}.${userId}`;
    const payload = {
      v: 1,
      id,
      at: 1,
      userId: THINGS_OF_ALL.includes(kind.thing) ? NOBODY : userId,
      seq: String(seq),
      ...state,
    };
    const text = eventText(subject, payload, 2 ** 20);
    streamSeq += 1;
    for (const handler of handlers.filter((one) => kindName(one.kind) === kindName(kind))) {
      await handler.handle(handler.kind.schema.parse(JSON.parse(text)), { subject, streamSeq, deliveryCount: 1 });
    }
  };
}
