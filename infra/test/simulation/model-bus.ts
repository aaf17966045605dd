import { kindNameIn } from '@cord/contracts/events/envelope';
import type { EventHandler } from '@cord/kit/nats/consume';
import type { Chance } from '../../../services/mining/test/simulation/random.js';

/** An event on its way to the readers of one service. */
interface Message {
  readonly subject: string;
  readonly payload: string;
}

type Payload = Record<string, unknown> & { seq: string };

/**
 * The streams: each keeps the last message of a subject, and delivers to each service that reads it until it was handled: twice, and out
 * of order. Of messages that were overwritten before they were delivered some still arrive, as they do that are on their way.
 */
export class ModelBus {
  private readonly last = new Map<string, Payload>();
  private readonly pending = new Map<string, Message[]>();

  /** @param kindsOf by service, the kinds of events that it reads */
  constructor(
    private readonly chance: Chance,
    private readonly kindsOf: () => ReadonlyMap<string, ReadonlySet<string>>,
  ) {}

  /** Puts an event into its stream, unless a newer one of the subject stands there. */
  publish(subject: string, payload: object): void {
    const text = JSON.stringify(payload);
    const made = JSON.parse(text) as Payload;
    const before = this.last.get(subject);
    if (before && BigInt(before.seq) >= BigInt(made.seq)) return;
    this.last.set(subject, made);
    for (const [service, kinds] of this.kindsOf()) {
      if (!kinds.has(kindNameIn(subject))) continue;
      const waiting = this.of(service).filter((one) => one.subject !== subject || this.chance.oneIn(2));
      this.pending.set(service, [...waiting, { subject, payload: text }]);
    }
  }

  /** The last event of a subject. */
  lastOf(subject: string): Payload | null {
    return this.last.get(subject) ?? null;
  }

  /** Takes events out of their stream. @param filter a subject, with `*` for any word */
  purge(filter: string): void {
    const pattern = new RegExp(`^${filter.replaceAll('.', '\\.').replaceAll('*', '[^.]+')}$`);
    for (const subject of [...this.last.keys()]) if (pattern.test(subject)) this.last.delete(subject);
    for (const [service, waiting] of this.pending)
      this.pending.set(
        service,
        waiting.filter(({ subject }) => !pattern.test(subject)),
      );
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
    await handler.handle(handler.kind.schema.parse(JSON.parse(message.payload)), { subject: message.subject } as never);
    if (again && this.chance.oneIn(6)) return;
    this.pending.set(
      service,
      this.of(service).filter((one) => one !== message),
    );
  }

  private of(service: string): Message[] {
    return this.pending.get(service) ?? [];
  }
}
