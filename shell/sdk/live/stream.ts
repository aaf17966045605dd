import { LIVE_KINDS, type LiveKind } from '@cord/contracts/live/kinds';

/** The used part of an EventSource: the browser's own or a test's. */
export interface Source {
  readonly readyState: number;
  addEventListener(name: string, listener: (event: MessageEvent<string>) => void): void;
  close(): void;
}

export interface StreamBounds {
  /** Wait before reconnecting a stream that was refused or lost twice in a row, ms; doubled with each failure. */
  againMs: number;
  againMostMs: number;
}

export const STREAM_BOUNDS: StreamBounds = { againMs: 2_000, againMostMs: 60_000 };

const CLOSED = 2;

export interface StreamDeps {
  connect(): Source;
  /** @param data parsed content of `data:` */
  onEvent(kind: LiveKind, data: unknown): void;
  onChange(open: boolean): void;
  /** Called when the server responds with something other than a stream. */
  onRefused(): void;
  bounds?: StreamBounds;
  random?: () => number;
}

export interface LiveStream {
  isOpen(): boolean;
  start(): void;
  /** Reconnects at once, after a change of network or after sleep. */
  restart(): void;
  stop(): void;
}

/**
 * Keeps GET /api/events open while it is wanted. After the first loss the browser reconnects by itself, by the
 * server's `retry:`, which spreads out the clients of a stopped replica. Further reconnects use backoff.
 */
export function createStream(deps: StreamDeps): LiveStream {
  const { bounds = STREAM_BOUNDS, random = Math.random } = deps;
  let source: Source | null = null;
  let open = false;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function setOpen(now: boolean): void {
    if (open === now) return;
    open = now;
    deps.onChange(now);
  }

  function connect(): void {
    clearTimeout(timer);
    const mine = deps.connect();
    source = mine;
    mine.addEventListener('open', () => {
      if (source !== mine) return;
      failures = 0;
      setOpen(true);
    });
    mine.addEventListener('error', () => {
      if (source === mine) failed(mine);
    });
    for (const kind of LIVE_KINDS) {
      mine.addEventListener(kind, (event) => {
        if (source === mine) receive(kind, event.data);
      });
    }
  }

  function receive(kind: LiveKind, text: string): void {
    let data: unknown;
    try {
      data = JSON.parse(text);
    } catch {
      // An unreadable event still shows that something has changed.
      data = {};
    }
    deps.onEvent(kind, data);
  }

  function failed(mine: Source): void {
    const refused = mine.readyState === CLOSED;
    failures += 1;
    setOpen(false);
    if (!refused && failures === 1) return;
    drop();
    const waitMs = Math.min(bounds.againMs * 2 ** (failures - 1), bounds.againMostMs);
    timer = setTimeout(connect, waitMs * (1 - random() / 2));
    if (refused) deps.onRefused();
  }

  function drop(): void {
    clearTimeout(timer);
    source?.close();
    source = null;
  }

  return {
    isOpen: () => open,
    start: () => {
      if (source === null) connect();
    },
    restart() {
      drop();
      setOpen(false);
      connect();
    },
    stop() {
      drop();
      failures = 0;
      setOpen(false);
    },
  };
}
