import type { Broadcast, TabMessage } from '../broadcast';
import type { Source } from './stream';

interface Wish {
  tab: string;
  hold: () => Promise<unknown>;
  settle: (error?: Error) => void;
}

/** Fake of the browser's locks among the tabs of a test: one exclusive lock, with `steal` and `signal`. */
export function createFakeLocks() {
  let held: Wish | null = null;
  const waiting: Wish[] = [];

  function grant(wish: Wish): void {
    held = wish;
    void Promise.resolve()
      .then(() => wish.hold())
      .then(() => {
        if (held !== wish) return;
        held = null;
        wish.settle();
        next();
      });
  }

  function next(): void {
    const wish = held === null ? waiting.shift() : undefined;
    if (wish !== undefined) grant(wish);
  }

  function dropOf(tab: string): void {
    for (let at = waiting.length - 1; at >= 0; at -= 1) if (waiting[at]?.tab === tab) waiting.splice(at, 1);
  }

  return {
    /** The tab that holds the lock. */
    holder: () => held?.tab ?? null,
    /** Removes a tab without a message: closed, discarded, crashed. */
    vanish(tab: string): void {
      dropOf(tab);
      if (held?.tab === tab) held = null;
      next();
    },
    /** Returns `navigator.locks` of one tab. */
    of(tab: string): Pick<LockManager, 'request'> {
      const request = (_name: string, options: LockOptions, hold: () => Promise<unknown>) =>
        new Promise<void>((resolve, reject) => {
          const wish: Wish = { tab, hold, settle: (error) => (error ? reject(error) : resolve()) };
          options.signal?.addEventListener('abort', () => {
            const at = waiting.indexOf(wish);
            if (at < 0) return;
            waiting.splice(at, 1);
            reject(new DOMException('aborted', 'AbortError'));
          });
          if (options.steal) {
            const robbed = held;
            grant(wish);
            robbed?.settle(new DOMException('stolen', 'AbortError'));
          } else {
            waiting.push(wish);
            next();
          }
        });
      return { request: request as LockManager['request'] };
    },
  };
}

/** Fake BroadcastChannel among the tabs of a test. A frozen tab receives nothing. */
export function createFakeChannel() {
  const tabs = new Map<string, { ears: Set<(message: TabMessage) => void>; frozen: TabMessage[] | null }>();
  return {
    /** All messages, in order. */
    sent: [] as TabMessage[],
    freeze(tab: string): void {
      const known = tabs.get(tab);
      if (known !== undefined) known.frozen = [];
    },
    of(tab: string): Broadcast {
      const own = { ears: new Set<(message: TabMessage) => void>(), frozen: null as TabMessage[] | null };
      tabs.set(tab, own);
      return {
        send: (message) => {
          this.sent.push(message);
          for (const [name, { ears, frozen }] of tabs) {
            if (name === tab) continue;
            if (frozen !== null) frozen.push(message);
            else for (const ear of ears) queueMicrotask(() => ear(message));
          }
        },
        listen(listener) {
          own.ears.add(listener);
          return () => own.ears.delete(listener);
        },
      };
    },
  };
}

/** EventSource driven by the test. */
export class FakeSource implements Source {
  readyState = 0;
  private readonly ears = new Map<string, ((event: MessageEvent<string>) => void)[]>();

  addEventListener(name: string, listener: (event: MessageEvent<string>) => void): void {
    this.ears.set(name, [...(this.ears.get(name) ?? []), listener]);
  }

  close(): void {
    this.readyState = 2;
  }

  opens(): void {
    this.readyState = 1;
    this.emit('open', {});
  }

  /** @param refused the server did not respond with a stream; the browser does not reconnect */
  breaks(refused = false): void {
    this.readyState = refused ? 2 : 0;
    this.emit('error', {});
  }

  deliver(kind: string, data: unknown): void {
    this.emit(kind, { data: typeof data === 'string' ? data : JSON.stringify(data) });
  }

  private emit(name: string, event: object): void {
    for (const ear of this.ears.get(name) ?? []) ear(event as MessageEvent<string>);
  }
}
