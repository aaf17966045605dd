import { LIVE_KINDS, type LiveKind } from '@cord/contracts/live/kinds';

/** The part of an EventSource that is used; the browser's own, or a test's. */
export interface Source {
  readonly readyState: number;
  addEventListener(name: string, listener: (event: MessageEvent<string>) => void): void;
  close(): void;
}

export interface StreamBounds {
  /** Wait before a stream that was refused or lost twice in a row is requested again, ms; doubled with each further time. */
  againMs: number;
  againMostMs: number;
}

export const STREAM_BOUNDS: StreamBounds = { againMs: 2_000, againMostMs: 60_000 };

const CLOSED = 2;

export interface StreamDeps {
  connect(): Source;
  /** @param data what stood after `data:`, as it was parsed */
  onEvent(kind: LiveKind, data: unknown): void;
  onChange(open: boolean): void;
  /** The server has answered with something else than a stream. */
  onRefused(): void;
  bounds?: StreamBounds;
  random?: () => number;
}

export interface LiveStream {
  isOpen(): boolean;
  start(): void;
  /** Requests it anew at once: the network has changed, or the device has slept and nobody knows what became of the connection. */
  restart(): void;
  stop(): void;
}

/**
 * GET /api/events, kept up for as long as it is wanted. The first time after it was open, the browser comes back by itself when the server has set how
 * (`retry:`, which spreads out who comes back from a replica that goes); after that with waits of its own.
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
      // What cannot be read shows at least that something has changed.
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
