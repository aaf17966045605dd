import { kindNameIn } from '@cord/contracts/events/envelope';
import { streamOf } from '@cord/contracts/events/streams';
import type { EventHandler } from '@cord/kit/nats/consume';
import type { Chance } from '@cord/kit/testing/simulation/random';

/** An undelivered event for one service. */
interface Message {
  readonly subject: string;
  readonly payload: string;
  readonly place: number;
  /** Delivered but not acknowledged. */
  inHand?: true;
}

type Payload = Record<string, unknown> & { seq: string };

const patternOf = (filter: string) => new RegExp(`^${filter.replaceAll('.', '\\.').replaceAll('*', '[^.]+')}$`);

/**
 * The streams: each keeps the last message of a subject and delivers it to each consuming service until it is handled,
 * perhaps twice and out of order. Some overwritten messages still arrive, like those already in transit.
 */
export class ModelBus {
  private readonly last = new Map<string, { place: number; payload: Payload }>();
  private places = 0;
  private readonly pending = new Map<string, Message[]>();

  /** @param kindsOf kinds of events that each service consumes */
  constructor(
    private readonly chance: Chance,
    private readonly kindsOf: () => ReadonlyMap<string, ReadonlySet<string>>,
  ) {}

  /** Publishes an event, unless its subject has a newer one. */
  publish(subject: string, payload: object): void {
    const text = JSON.stringify(payload);
    const made = JSON.parse(text) as Payload;
    const before = this.last.get(subject);
    if (before && BigInt(before.payload.seq) >= BigInt(made.seq)) return;
    this.places += 1;
    const place = this.places;
    this.last.set(subject, { place, payload: made });
    for (const [service, kinds] of this.kindsOf()) {
      if (!kinds.has(kindNameIn(subject))) continue;
      const waiting = this.of(service).filter((one) => one.subject !== subject || this.chance.oneIn(2));
      this.pending.set(service, [...waiting, { subject, payload: text, place }]);
    }
  }

  /** Returns the last event of a subject. */
  lastOf(subject: string): Payload | null {
    return this.last.get(subject)?.payload ?? null;
  }

  /** Returns the last message of a subject. @param filter a subject, with `*` for any token */
  placeOf(filter: string): { seq: number } | null {
    const pattern = patternOf(filter);
    const places = [...this.last].filter(([subject]) => pattern.test(subject)).map(([, { place }]) => place);
    return places.length === 0 ? null : { seq: Math.max(...places) };
  }

  /** Removes one message from its stream; it is not delivered any more. */
  remove(place: number): void {
    for (const [subject, last] of this.last) if (last.place === place) this.last.delete(subject);
    this.keepPending((message) => message.place !== place);
  }

  /** Purges by a filter like NATS 2.9: consumers of the stream also lose unacknowledged messages of other subjects. */
  purge(stream: string, filter: string): void {
    const pattern = patternOf(filter);
    for (const subject of [...this.last.keys()]) if (pattern.test(subject)) this.last.delete(subject);
    const isOf = (subject: string) => streamOf(subject.split('.')[1] ?? '').name === stream;
    this.keepPending(({ subject, inHand }) => !(pattern.test(subject) || (inHand && isOf(subject))));
  }

  isEmpty(): boolean {
    return [...this.pending.values()].every((waiting) => waiting.length === 0);
  }

  /** Delivers one event to a service. @param handlers of one of its processes */
  async deliver(service: string, handlers: readonly EventHandler[], again: boolean): Promise<void> {
    const waiting = this.of(service);
    if (waiting.length === 0) return;
    const message = this.chance.pick(waiting);
    const handler = handlers.find(
      ({ kind }) => `${kind.thing}.v${kind.version ?? 1}.${kind.verb}` === kindNameIn(message.subject),
    );
    if (!handler) throw new Error(`${service} does not read ${message.subject}`);
    message.inHand = true;
    await handler.handle(handler.kind.schema.parse(JSON.parse(message.payload)), { subject: message.subject } as never);
    if (again && this.chance.oneIn(6)) return;
    this.pending.set(
      service,
      this.of(service).filter((one) => one !== message),
    );
  }

  private keepPending(keeps: (message: Message) => boolean): void {
    for (const [service, waiting] of this.pending) this.pending.set(service, waiting.filter(keeps));
  }

  private of(service: string): Message[] {
    return this.pending.get(service) ?? [];
  }
}
