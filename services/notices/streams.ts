import type { ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { BEATS, COMMENTS_A_PRESENCE, STREAM_BACKLOG_BYTES_MAX, STREAMS_PER_USER_MAX } from './bounds.js';
import type { LiveHandler } from './live-messages.js';
import { COMMENT, eventText, retryText } from './wire.js';

/** Why a stream was ended by us. */
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

/** A user's streams in this replica, the oldest first, and the one subscription that feeds them. */
interface Listener {
  readonly streams: Stream[];
  stop: () => void;
}

/**
 * The streams of this replica. None has a timer of its own: they lie in the slots of a wheel, which `beat` turns, and a
 * message is written out once for all who get it at one moment.
 */
export class Streams {
  readonly #listeners = new Map<string, Listener>();
  readonly #slots: Set<Stream>[] = Array.from({ length: BEATS }, () => new Set());
  #opened = 0;
  #beats = 0;
  #lastId = 0;
  #closed = false;

  constructor(private readonly deps: StreamsDeps) {}

  /** Streams held. */
  get size(): number {
    return this.#slots.reduce((sum, slot) => sum + slot.size, 0);
  }

  get users(): number {
    return this.#listeners.size;
  }

  /** Begins a stream on a response whose head is written. A user's ninth takes the place of the first. */
  open(response: Reader, userId: string): void {
    // A client that left before this would not be seen to close.
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

  /** Writes an event to every stream, some at a time, so that nothing else waits long. */
  async sendAll(kind: string, data: string): Promise<void> {
    for (const slot of this.#slots) {
      // Other events go out between two slots: ids rise on each stream.
      const event = eventText(kind, this.#nextId(), data);
      if (!event) return;
      this.#write(slot, event);
      await turn();
    }
  }

  /** One beat: writes a comment to a share of the streams. */
  beat(): void {
    const slot = this.#slots[this.#beats % BEATS] as Set<Stream>;
    const isPresence = Math.floor(this.#beats / BEATS) % COMMENTS_A_PRESENCE === 0;
    this.#beats += 1;
    for (const stream of slot) {
      this.#send(stream, COMMENT);
      if (isPresence) this.deps.saw(stream.userId);
    }
  }

  /** Ends all, each to come again at a time of its own. */
  endAll(why: Why): void {
    for (const slot of this.#slots) for (const stream of slot) this.#end(stream, why, retryText('together'));
  }

  /** Ends all, and from now on each new one at once. */
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

  /** Rises, also from one replica to the next: microseconds since epoch. */
  #nextId(): number {
    this.#lastId = Math.max(this.#lastId + 1, this.deps.nowMs() * 1_000);
    return this.#lastId;
  }
}
