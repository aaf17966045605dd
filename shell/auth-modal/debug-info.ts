import type { ConnectState } from './connect-flow';

interface Environment {
  location: Pick<Location, 'origin' | 'pathname'>;
  navigator: Pick<Navigator, 'userAgent' | 'cookieEnabled' | 'onLine' | 'language'>;
  storage: { local: boolean; session: boolean };
  build: string;
  nowMs: number;
  /** The server's clock minus this device's, ms. */
  clockOffsetMs: number;
}

/** What helps support to see why a sign-in fails. No cookie, code, state, token or name is in it. */
export function debugInfo(state: ConnectState, env: Environment): Record<string, string | number | boolean> {
  return {
    time: new Date(env.nowMs).toISOString(),
    clockOffsetMs: Math.round(env.clockOffsetMs),
    build: env.build,
    origin: env.location.origin,
    path: env.location.pathname,
    status: state.status,
    error: state.status === 'error' ? state.key : 'none',
    online: env.navigator.onLine,
    cookies: env.navigator.cookieEnabled,
    localStorage: env.storage.local,
    sessionStorage: env.storage.session,
    language: env.navigator.language,
    browser: env.navigator.userAgent,
  };
}
