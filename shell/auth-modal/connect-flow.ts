import * as authEndpoints from '@cord/contracts/addresses/auth';
import { LOGIN_SUCCESS_DELAY_MS } from '@cord/contracts/rules/timings';
import { type Api, createStore, isNetworkError, type Store } from '@cord/sdk';

/** The login flow; an error goes back to idle by Try again or by closing. */
export type ConnectState =
  | { status: 'closed' }
  | { status: 'idle' }
  | { status: 'redirecting' }
  | { status: 'processing' }
  | { status: 'success' }
  /** KEY of the address (services/auth/README.md#a-sign-in), and Discord's own text; the modal makes a text of them. */
  | { status: 'error'; key: string; description: string | null };

export interface ConnectFlow {
  state: Store<ConnectState>;
  /** The address that starts a sign-in; for Open manually. */
  address(): string;
  open(): void;
  close(): void;
  /** Leaves for Discord. */
  start(): Promise<void>;
  /** Back from Discord: the session is being fetched. */
  processing(): void;
  /** Signed in; resolves when the success has been shown for its second. */
  succeed(): Promise<void>;
  fail(key: string, description: string | null): void;
}

interface ConnectFlowDeps {
  api: Api;
  /** The friend's code that goes along. */
  referral(): string | null;
  /** The place of the app that the sign-in comes back to, as a query; null for where it begins. */
  wanted(): string | null;
  navigate(address: string): void;
}

/** A redirect that has not left the page by then has failed, ms. */
const REDIRECT_TIMEOUT_MS = 15_000;
/** How long we wait for a sign of life of the sign-in service, ms. */
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
      const stillLeaving = () => state.get() === leaving;
      // A public read of the sign-in service first: a page of raw JSON would be all the user saw of a service that is down.
      const problem = await api.call(authEndpoints.jwks, { timeoutMs: PROBE_TIMEOUT_MS }).then(
        () => null,
        (error: unknown) => error,
      );
      if (!stillLeaving()) return;
      if (problem !== null) return fail(isNetworkError(problem) ? 'unreachable' : 'start_failed', null);
      navigate(address());
      setTimeout(() => {
        if (stillLeaving()) fail('start_failed', null);
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
