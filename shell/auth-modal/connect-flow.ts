import * as authEndpoints from '@cord/contracts/addresses/auth';
import { LOGIN_SUCCESS_DELAY_MS } from '@cord/contracts/rules/timings';
import { type Api, createStore, isNetworkError, type Store } from '@cord/sdk';

/** State of the sign-in; Try again or closing returns an error to idle. */
export type ConnectState =
  | { status: 'closed' }
  | { status: 'idle' }
  | { status: 'redirecting' }
  | { status: 'processing' }
  | { status: 'success' }
  /** `key` of the address (services/auth/README.md#a-sign-in), and Discord's own text; the modal formats them. */
  | { status: 'error'; key: string; description: string | null };

export interface ConnectFlow {
  state: Store<ConnectState>;
  /** Returns the address that starts a sign-in, for Open manually. */
  address(): string;
  open(): void;
  close(): void;
  /** Redirects to Discord. */
  start(): Promise<void>;
  /** Back from Discord: the session is being read. */
  processing(): void;
  /** Signed in; resolves after the success was shown for a second. */
  succeed(): Promise<void>;
  fail(key: string, description: string | null): void;
}

interface ConnectFlowDeps {
  api: Api;
  /** The friend's code to send with the sign-in. */
  referral(): string | null;
  /** Query of the place to return to after the sign-in; null for the first tab. */
  wanted(): string | null;
  navigate(address: string): void;
}

/** Maximum time for a redirect to leave the page, ms. */
const REDIRECT_TIMEOUT_MS = 15_000;
/** Maximum wait for the probe of the sign-in service, ms. */
const PROBE_TIMEOUT_MS = 5_000;

export function createConnectFlow({ api, referral, wanted, navigate }: ConnectFlowDeps): ConnectFlow {
  const state = createStore<ConnectState>({ status: 'closed' });

  const fail = (key: string, description: string | null) => state.set({ status: 'error', key, description });

  const address = () => {
    const query = new URLSearchParams();
    const code = referral();
    if (code !== null) query.set('ref', code);
    const back = wanted();
    if (back !== null) query.set('back', back);
    return `/api/auth/discord${query.size === 0 ? '' : `?${query}`}`;
  };

  return {
    state,
    address,
    open: () => state.set({ status: 'idle' }),
    close: () => state.set({ status: 'closed' }),
    async start() {
      const leaving: ConnectState = { status: 'redirecting' };
      state.set(leaving);
      const isRedirecting = () => state.get() === leaving;
      // Probes the sign-in service first: if it is down, the redirect would end on a page of raw JSON.
      const problem = await api.call(authEndpoints.jwks, { timeoutMs: PROBE_TIMEOUT_MS }).then(
        () => null,
        (error: unknown) => error,
      );
      if (!isRedirecting()) return;
      if (problem !== null) return fail(isNetworkError(problem) ? 'unreachable' : 'start_failed', null);
      navigate(address());
      setTimeout(() => {
        if (isRedirecting()) fail('start_failed', null);
      }, REDIRECT_TIMEOUT_MS);
    },
    processing: () => state.set({ status: 'processing' }),
    async succeed() {
      state.set({ status: 'success' });
      await new Promise((resolve) => setTimeout(resolve, LOGIN_SUCCESS_DELAY_MS));
      state.set({ status: 'closed' });
    },
    fail,
  };
}
