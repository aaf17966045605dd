/** Server time of one exchange, all in ms since epoch. */
export interface ClockReading {
  /** The server's time, truncated to `resolutionMs`. */
  serverMs: number;
  resolutionMs: number;
  /** Local times of the request and of its response. */
  sentMs: number;
  receivedMs: number;
}

/**
 * The page's estimate of the server's time. It never runs ahead of the server: an interpolated balance may lag by a
 * network delay but never shows unearned CORD, so it neither drops at a save nor drifts in a sleeping tab.
 */
export interface ServerClock {
  /** A time that the server has certainly reached, ms since epoch. */
  now(): number;
  observe(reading: ClockReading): void;
}

/** @param localNow local wall time, ms since epoch: monotonic time stands still while a laptop sleeps. */
export function createServerClock(localNow: () => number = Date.now): ServerClock {
  let offsetMs: number | null = null;
  let finestMs = Number.POSITIVE_INFINITY;

  return {
    now: () => Math.floor(localNow() + (offsetMs ?? 0)),
    observe({ serverMs, resolutionMs, sentMs, receivedMs }) {
      // A proxy's Date header is ignored once a service has sent its own clock.
      if (resolutionMs > finestMs) return;
      // The response was written between sending and receiving, so the true offset lies in [least, most].
      const least = serverMs - receivedMs;
      const most = serverMs + resolutionMs - sentMs;
      if (offsetMs === null || resolutionMs < finestMs || offsetMs < least || offsetMs > most) offsetMs = least;
      finestMs = resolutionMs;
    },
  };
}

/** Returns the time of a response's `Date` header, to the second; null when there is none. */
export function serverTimeInHeaders(headers: Headers): Pick<ClockReading, 'serverMs' | 'resolutionMs'> | null {
  const serverMs = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(serverMs) ? null : { serverMs, resolutionMs: 1_000 };
}

/** Returns the service's own time in a response: `serverTime` of a user, a mining session or node stats, or of such a part. */
export function serverTimeInBody(answer: unknown): number | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const { serverTime, session, user } = answer as { serverTime?: unknown; session?: unknown; user?: unknown };
  if (typeof serverTime === 'string') {
    const serverMs = Date.parse(serverTime);
    return Number.isNaN(serverMs) ? null : serverMs;
  }
  return serverTimeInBody(session) ?? serverTimeInBody(user);
}
