import * as authEndpoints from '@cord/contracts/addresses/auth';
import type { ResponseOf } from '@cord/contracts/calls';
import { ApiError, createStore, type Sdk, type Store, type WritableStore } from '@cord/sdk';
import type { ConnectFlow } from '../auth-modal/connect-flow';
import type { Arrival } from './arrival';

export type Welcome = NonNullable<ResponseOf<typeof authEndpoints.me>['welcome']>;

const WELCOME_TRIES = 8;
const WELCOME_RETRY_MS = 1_500;
/** Tries of a start while the server returns 503, and the maximum requested wait that it accepts, ms. */
const START_TRIES = 3;
const START_WAIT_MS_MAX = 5_000;

/** Progress of the page's start. The user is in `sdk.session`. */
export type StartupState = { status: 'starting' } | { status: 'done' } | { status: 'failed'; error: unknown };

export interface Startup {
  state: Store<StartupState>;
  /** Sign-in events, until acknowledged or until the user signs out. */
  welcome: WritableStore<Welcome | null>;
  /** Reads the session; also to retry a failure. */
  run(): Promise<void>;
  /** Checks for a sign-in in another tab; shows nothing otherwise. */
  checkSignIn(): Promise<void>;
  /** Marks the welcome as seen; the server deletes it. */
  acknowledgeWelcome(): void;
}

interface StartupDeps {
  sdk: Pick<Sdk, 'api' | 'session' | 'broadcast'>;
  flow: ConnectFlow;
  arrival: Arrival;
  /** Discord's text about a refusal, readable once. */
  errorDescription(): string | null;
  /** Whether a session may exist; else it is not read. */
  expectsSession(): boolean;
  /** Called with every sign-in, before its screen shows. */
  onSignedIn(): void;
}

/**
 * Starts the page: reads the session, or the reason why there is none. A return from Discord shows processing and a
 * second of success before the app; a stored session opens the app at once.
 */
export function createStartup({
  sdk,
  flow,
  arrival,
  errorDescription,
  expectsSession,
  onSignedIn,
}: StartupDeps): Startup {
  const state = createStore<StartupState>({ status: 'starting' });
  const welcome = createStore<Welcome | null>(null);
  const cameBack = arrival.welcome !== null;

  /** The current or last start. */
  let starting: Promise<void> | null = null;

  function run(): Promise<void> {
    starting = start();
    return starting;
  }

  async function start(): Promise<void> {
    if (state.get().status === 'failed') state.set({ status: 'starting' });
    if (arrival.authError !== null) flow.fail(arrival.authError, errorDescription());
    else if (cameBack) flow.processing();
    if (!cameBack && !expectsSession()) {
      nobody();
      return;
    }
    try {
      const { user, welcome: facts } = await readSession();
      if (!user.id) throw new ApiError({ kind: 'http', message: 'Invalid user data' });
      if (cameBack) await flow.succeed();
      else flow.close();
      welcome.set(facts ?? null);
      onSignedIn();
      sdk.session.signIn(user, { fresh: cameBack });
      state.set({ status: 'done' });
      if (cameBack) sdk.broadcast.send({ kind: 'signed-in', userId: user.id });
      void followWelcome();
    } catch (error) {
      settle(error);
    }
  }

  /** Reads the session with retries: a starting server, as during a release, is ready within seconds. */
  async function readSession(): Promise<ResponseOf<typeof authEndpoints.me>> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await sdk.api.call(authEndpoints.me);
      } catch (error) {
        const waitMs = error instanceof ApiError && error.status === 503 ? error.retryAfterMs : null;
        if (waitMs === null || waitMs > START_WAIT_MS_MAX || tries === START_TRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    }
  }

  /** Polls pending rewards of the sign-in, which usually arrive within seconds; an open welcome then shows them as credited. */
  async function followWelcome(): Promise<void> {
    for (let tries = 0; tries < WELCOME_TRIES && welcome.get()?.pending; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, WELCOME_RETRY_MS));
      const answer = await sdk.api.call(authEndpoints.me).catch(() => null);
      // Another tab may have signed in as somebody else, which `follow` handles.
      const isOwn = answer?.user.id === sdk.session.state.get().user?.id;
      if (!isOwn || answer?.welcome === undefined || welcome.get() === null) return;
      welcome.set(answer.welcome);
      sdk.session.signIn(answer.user);
    }
  }

  /** Handles a failed read. A missing session is a failure only after a return from Discord, shown in the modal. */
  function settle(error: unknown): void {
    const unauthorised = error instanceof ApiError && error.status === 401;
    if (cameBack) flow.fail(unauthorised ? 'unauthorized' : keyOf(error), null);
    if (unauthorised || cameBack) nobody();
    else state.set({ status: 'failed', error });
  }

  function nobody(): void {
    if (sdk.session.state.get().status === 'loading') sdk.session.signOut();
    state.set({ status: 'done' });
  }

  let isChecking = false;

  async function checkSignIn(): Promise<void> {
    if (isChecking || !expectsSession()) return;
    isChecking = true;
    await readSignIn().finally(() => {
      isChecking = false;
    });
  }

  async function readSignIn(): Promise<void> {
    const isSignedIn = () => sdk.session.state.get().status === 'signed-in';
    const answer = await sdk.api.call(authEndpoints.me).catch(() => null);
    if (answer === null || isSignedIn()) return;
    await flow.succeed();
    // Another tab may have signed in as somebody else, which `follow` has handled.
    if (isSignedIn()) return;
    welcome.set(answer.welcome ?? null);
    onSignedIn();
    sdk.session.signIn(answer.user, { fresh: true });
  }

  /** User who last signed in in another tab; null after a sign-out there. */
  let signedInThere: string | null = null;

  /** Follows a sign-in in another tab, which shows the greeting and starts background work. */
  async function follow(userId: string): Promise<void> {
    const isThere = () => sdk.session.state.get().status === 'loading' || sdk.session.state.get().user?.id === userId;
    // A start may read the state before that sign-in.
    await starting;
    if (isThere()) return;
    const answer = await sdk.api.call(authEndpoints.me).catch(() => null);
    if (signedInThere !== userId || answer?.user.id !== userId || isThere()) return;
    flow.close();
    onSignedIn();
    sdk.session.signIn(answer.user);
  }

  sdk.session.state.listen((now, before) => {
    if (before.user !== null && now.user?.id !== before.user.id) welcome.set(null);
  });
  sdk.broadcast.listen((message) => {
    if (message.kind === 'signed-out' && message.userId === signedInThere) signedInThere = null;
    if (message.kind !== 'signed-in') return;
    signedInThere = message.userId;
    void follow(message.userId);
  });

  return {
    state,
    welcome,
    run,
    checkSignIn,
    acknowledgeWelcome() {
      if (welcome.get() === null) return;
      welcome.set(null);
      // If this call is lost, the welcome shows again at the next start.
      sdk.api.call(authEndpoints.acknowledgeWelcome).catch(() => undefined);
    },
  };
}

function keyOf(error: unknown): string {
  if (error instanceof ApiError && error.kind === 'http')
    return error.message === 'Invalid user data' ? 'invalid_user' : 'database';
  return 'unreachable';
}
