import * as authEndpoints from '@cord/contracts/addresses/auth';
import type { ResponseOf } from '@cord/contracts/calls';
import { ApiError, createStore, type Sdk, type Store, type WritableStore } from '@cord/sdk';
import type { ConnectFlow } from '../auth-modal/connect-flow';
import type { Arrival } from './arrival';

export type Welcome = NonNullable<ResponseOf<typeof authEndpoints.me>['welcome']>;

const WELCOME_TRIES = 8;
const WELCOME_RETRY_MS = 1_500;
/** A start requests the session so often while the server answers 503 and requests a wait of so long at most, ms. */
const START_TRIES = 3;
const START_WAIT_MS_MAX = 5_000;

/** How far the start of the page has come. Who is signed in stands in `sdk.session`. */
export type StartupState = { status: 'starting' } | { status: 'done' } | { status: 'failed'; error: unknown };

export interface Startup {
  state: Store<StartupState>;
  /** What happened at sign-in, until it is acknowledged or its user is signed in no more. */
  welcome: WritableStore<Welcome | null>;
  /** Reads who is signed in; again after a failure. */
  run(): Promise<void>;
  /** Whether somebody has signed in meanwhile, in another tab; shows nothing if not. */
  lookAgain(): Promise<void>;
  /** The user has seen the welcome; the server forgets it. */
  acknowledgeWelcome(): void;
}

interface StartupDeps {
  sdk: Pick<Sdk, 'api' | 'session' | 'broadcast'>;
  flow: ConnectFlow;
  arrival: Arrival;
  /** Discord's text about a refusal, read once. */
  errorDescription(): string | null;
  /** Whether there may be a session at all: where there is none, nothing is read of it. */
  expectsSession(): boolean;
  /** Called with every sign-in, before its screen shows. */
  onSignedIn(): void;
}

/**
 * Startup: finds the session, or the reason why there is none. The way back from Discord shows processing and
 * a second of success before the app; a stored session opens the app at once.
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
  let cameBack = arrival.welcome !== null;

  /** The start under way, or the last one. */
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
    cameBack = false;
  }

  /** A server that is just starting, as with a release, has the session within seconds: nobody has to press for it. */
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

  /** What is on its way at the sign-in mostly arrives within seconds: an open welcome then shows it as credited. */
  async function followWelcome(): Promise<void> {
    for (let tries = 0; tries < WELCOME_TRIES && welcome.get()?.pending; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, WELCOME_RETRY_MS));
      const answer = await sdk.api.call(authEndpoints.me).catch(() => null);
      // Another tab may have signed in as somebody else: `follow` takes that.
      const isOwn = answer?.user.id === sdk.session.state.get().user?.id;
      if (!isOwn || answer?.welcome === undefined || welcome.get() === null) return;
      welcome.set(answer.welcome);
      sdk.session.signIn(answer.user);
    }
  }

  /** Nobody signed in is no failure; after a way through Discord it is one, and it belongs into the modal. */
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

  let looking = false;

  async function lookAgain(): Promise<void> {
    if (looking || !expectsSession()) return;
    looking = true;
    await look().finally(() => {
      looking = false;
    });
  }

  async function look(): Promise<void> {
    const isSignedIn = () => sdk.session.state.get().status === 'signed-in';
    const answer = await sdk.api.call(authEndpoints.me).catch(() => null);
    if (answer === null || isSignedIn()) return;
    await flow.succeed();
    // Another tab may have signed in as somebody else: `follow` has taken that.
    if (isSignedIn()) return;
    welcome.set(answer.welcome ?? null);
    onSignedIn();
    sdk.session.signIn(answer.user, { fresh: true });
  }

  /** Who has signed in last in another tab; null once signed out there. */
  let signedInThere: string | null = null;

  /** Another tab has signed in: this one follows; the greeting and what a sign-in starts are done there. */
  async function follow(userId: string): Promise<void> {
    const isThere = () => sdk.session.state.get().status === 'loading' || sdk.session.state.get().user?.id === userId;
    // What a start reads may be of before that sign-in.
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
    lookAgain,
    acknowledgeWelcome() {
      if (welcome.get() === null) return;
      welcome.set(null);
      // Shown again at the next start if this call is lost: then the welcome shows once more.
      sdk.api.call(authEndpoints.acknowledgeWelcome).catch(() => undefined);
    },
  };
}

function keyOf(error: unknown): string {
  if (error instanceof ApiError && error.kind === 'http')
    return error.message === 'Invalid user data' ? 'invalid_user' : 'database';
  return 'unreachable';
}
