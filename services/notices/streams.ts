import type { ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { BEATS, COMMENTS_A_PRESENCE, STREAM_BACKLOG_BYTES_MAX, STREAMS_PER_USER_MAX } from './bounds.js';
import type { LiveHandler } from './live-messages.js';
import { COMMENT, eventText, retryText } from './wire.js';

/** Why the service ended a stream. */
export type Why = 'replaced' | 'slow' | 'gap' | 'draining';

interface StreamsDeps {
  /** Subscribes to the messages of a user until the returned function is called. */
  subscribe(userId: string, handle: LiveHandler): () => void;
  saw(userId: string): void;
  nowMs(): number;
  onEnded(why: Why): void;
}

type Reader = Pick<ServerResponse, 'write' | 'end' | 'destroy' | 'destroyed' | 'on' | 'writableLength'>;

interface Stream {
  readonly response: Reader;
  readonly userId: string;
  readonly slot: Set<Stream>;
}

/** A user's streams in this replica, oldest first, and the one subscription that feeds them. */
interface Listener {
  readonly streams: Stream[];
  stop: () => void;
}

/**
 * The streams of this replica. None has its own timer: `beat` advances through the slots of a wheel. A message is
 * encoded once for all its receivers.
 */
export class Streams {
  readonly #listeners = new Map<string, Listener>();
  readonly #slots: Set<Stream>[] = Array.from({ length: BEATS }, () => new Set());
  #opened = 0;
  #beats = 0;
  #lastId = 0;
  #closed = false;

  constructor(private readonly deps: StreamsDeps) {}

  /** Number of open streams. */
  get size(): number {
    return this.#slots.reduce((sum, slot) => sum + slot.size, 0);
  }

  get users(): number {
    return this.#listeners.size;
  }

  /** Starts a stream on a response whose head is written. A user's ninth stream replaces the first. */
  open(response: Reader, userId: string): void {
    // A client that has already left would emit no close event.
    if (response.destroyed) return;
    if (this.#closed) {
      response.end(retryText('together'));
      return;
    }
    const slot = this.#slots[this.#opened++ % BEATS] as Set<Stream>;
    const stream: Stream = { response, userId, slot };
    const listener = this.#listeners.get(userId) ?? this.#listen(userId);
    const [oldest] = listener.streams;
    listener.streams.push(stream);
    slot.add(stream);
    response.on('close', () => this.#forget(stream));
    response.write(`${retryText('alone')}${COMMENT}`);
    if (oldest && listener.streams.length > STREAMS_PER_USER_MAX) this.#end(oldest, 'replaced', retryText('replaced'));
  }

  /** Writes an event to every stream, slot by slot, yielding to the event loop in between. */
  async sendAll(kind: string, data: string): Promise<void> {
    for (const slot of this.#slots) {
      // Other events are sent between two slots: a new id per slot keeps ids ascending on each stream.
      const event = eventText(kind, this.#nextId(), data);
      if (!event) return;
      this.#write(slot, event);
      await turn();
    }
  }

  /** Runs one beat: writes a comment to one share of the streams. */
  beat(): void {
    const slot = this.#slots[this.#beats % BEATS] as Set<Stream>;
    const isPresence = Math.floor(this.#beats / BEATS) % COMMENTS_A_PRESENCE === 0;
    this.#beats += 1;
    for (const stream of slot) {
      this.#send(stream, COMMENT);
      if (isPresence) this.deps.saw(stream.userId);
    }
  }

  /** Ends all streams; each client reconnects after a random delay. */
  endAll(why: Why): void {
    for (const slot of this.#slots) for (const stream of slot) this.#end(stream, why, retryText('together'));
  }

  /** Ends all streams, and from now on each new one at once. */
  close(): void {
    this.#closed = true;
    this.endAll('draining');
  }

  #listen(userId: string): Listener {
    const listener: Listener = { streams: [], stop: () => undefined };
    listener.stop = this.deps.subscribe(userId, (kind, data) => {
      const event = eventText(kind, this.#nextId(), data);
      if (event) this.#write(listener.streams, event);
    });
    this.#listeners.set(userId, listener);
    return listener;
  }

  #write(streams: Iterable<Stream>, event: Buffer): void {
    for (const stream of [...streams]) this.#send(stream, event);
  }

  #send(stream: Stream, text: Buffer): void {
    const { response } = stream;
    response.write(text);
    if (response.writableLength <= STREAM_BACKLOG_BYTES_MAX) return;
    this.#forget(stream);
    this.deps.onEnded('slow');
    response.destroy();
  }

  #end(stream: Stream, why: Why, last = ''): void {
    this.#forget(stream);
    this.deps.onEnded(why);
    stream.response.end(last);
  }

  #forget(stream: Stream): void {
    if (!stream.slot.delete(stream)) return;
    const listener = this.#listeners.get(stream.userId);
    if (!listener) return;
    listener.streams.splice(listener.streams.indexOf(stream), 1);
    if (listener.streams.length > 0) return;
    listener.stop();
    this.#listeners.delete(stream.userId);
  }

  /** Returns an ascending id, also across replicas: microseconds since epoch. */
  #nextId(): number {
    this.#lastId = Math.max(this.#lastId + 1, this.deps.nowMs() * 1_000);
    return this.#lastId;
  }
}
