import type { ResponseOf } from '@cord/contracts/endpoint';
import type { authEndpoints } from '@cord/contracts/http/auth';
import type { Log } from '@cord/kit/log';
import { opsUrlOf } from '@cord/kit/ops-port';
import type { RunningService } from '@cord/kit/service';
import {
  createTestClock,
  startForTest,
  startFront,
  startTestBackend,
  type TestBackend,
  type TestClock,
} from '@cord/kit/testing/index';
import type { TestLedger } from '@cord/kit/testing/ledger';
import { PATIENCE_MS } from '@cord/kit/testing/patience';
import type { DiscordSettings } from '../config.js';
import { authService } from '../service.js';
import { type Browser, createBrowser } from './browser.js';
import { serveLedger } from './ledger.js';
import { type DiscordStandIn, startDiscord } from './stand-in.js';

export const PUBLIC_ORIGIN = 'http://localhost:8080';

export const SECRETS = {
  SESSION_SECRET: 'the session secret of these tests and long enough',
  KEY_ENCRYPTION_KEY: 'the key encryption key of these tests and long enough',
  ADDRESS_HASH_KEY: 'the address hash key of these tests and long enough',
  TOMBSTONE_KEY: 'the tombstone key of these tests and long enough',
};

/** A replica of auth behind the gateway's session check. */
interface TestReplica extends RunningService {
  /** URL of the service itself. */
  direct: string;
}

/** A signed-in person. */
export interface Person {
  id: string;
  /** Token of the session. */
  token: string;
  /** Account id at Discord. */
  account: string;
}

/** The real service on real NATS and store, with Discord's stand-in and an in-memory ledger. */
export interface TestAuth {
  backend: TestBackend;
  discord: DiscordStandIn;
  ledger: Pick<TestLedger, 'credits' | 'stop'>;
  clock: TestClock;
  /** Name of the database. */
  dbName: string;
  service: TestReplica;
  /** URL of the gateway's session check, in front of the service. */
  url: string;
  /** URL of the service itself. */
  direct: string;
  browser(): Browser;
  /** Signs up with a new Discord account, created in 2019 unless `known` has another date. */
  signUp(username: string, known?: Partial<Parameters<DiscordStandIn['account']>[0]>): Promise<Person>;
  signIn(account: string): Promise<Person>;
  /** Grants the role as local mode does; it takes effect a moment later. */
  makeAdmin(person: Pick<Person, 'id'>): Promise<void>;
  /** Restarts the service on the same data. */
  restart(): Promise<void>;
  /** Starts another replica on the same data, optionally with other settings; stopped with the rest. */
  replica(changes?: { discord?: Partial<DiscordSettings>; env?: Record<string, string> }): Promise<TestReplica>;
  stop(): Promise<void>;
}

interface TestAuthOptions {
  env?: Record<string, string>;
  /** true: as outside local mode. */
  needsSecondFactor?: boolean;
  /** false: the ledger does not respond until a test serves it. */
  ledger?: boolean;
  own?: boolean;
  /** Logger of the service. */
  log?: Log;
}

export async function startAuth(options: TestAuthOptions = {}): Promise<TestAuth> {
  const backend = await startTestBackend({ own: options.own ?? false });
  const discord = await startDiscord(PUBLIC_ORIGIN);
  const { needsSecondFactor = false } = options;
  const ledger = options.ledger === false ? SILENT : serveLedger(backend.nats);
  const clock = createTestClock(Date.now(), { running: true });
  const dbName = backend.dbName('auth');
  const start: TestAuth['replica'] = async (changes = {}) => {
    const env = { ...SECRETS, PUBLIC_ORIGIN, ...options.env, ...changes.env };
    const definition = authService({ discord: { ...discord.settings, ...changes.discord }, needsSecondFactor });
    const logs = options.log ? { log: options.log } : {};
    const service = await startForTest(definition, backend, { clock, dbName, ...logs, env });
    const at = { service: 'auth', target: () => service.url, publicOrigin: env.PUBLIC_ORIGIN } as const;
    const front = await startFront({ ...at, nats: backend.nats, clock });
    await eventually(async () => front.session.ready());
    return {
      url: front.url,
      direct: service.url,
      async close() {
        await front.close();
        await service.close();
      },
    };
  };
  const replicas: TestReplica[] = [];
  const auth: TestAuth = {
    backend,
    discord,
    ledger,
    clock,
    dbName,
    service: await start(),
    get url() {
      return auth.service.url;
    },
    get direct() {
      return auth.service.direct;
    },
    browser: () => createBrowser(auth.service.url, options.env?.PUBLIC_ORIGIN ?? PUBLIC_ORIGIN),
    signUp: async (username, known) =>
      auth.signIn(await discord.account({ username, createdAt: '2019-03-01', ...known })),
    async signIn(account) {
      const browser = auth.browser();
      await browser.signIn({ account });
      return { id: (await meOf(browser)).user.id, token: browser.cookies.get('cord') ?? '', account };
    },
    async makeAdmin({ id }) {
      await fetch(`${opsUrlOf(auth.direct)}/dev/users/${id}/admin`, { method: 'POST' });
    },
    async restart() {
      await auth.service.close();
      auth.service = await start();
    },
    async replica(changes) {
      const replica = await start(changes);
      replicas.push(replica);
      return replica;
    },
    async stop() {
      await Promise.all([auth.service, ...replicas].map((service) => service.close()));
      await ledger.stop();
      await discord.stop();
      await backend.stop();
    },
  };
  return auth;
}

const SILENT: TestAuth['ledger'] = { credits: [], stop: async () => undefined };

/** Retries until `look` returns a result. */
export async function eventually<T>(look: () => Promise<T | undefined | false>, msMax = PATIENCE_MS): Promise<T> {
  const endMs = performance.now() + msMax;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > endMs) throw new Error(`not seen within ${msMax} ms`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Returns the /auth/me response for a browser. */
export async function meOf(browser: Browser): Promise<ResponseOf<typeof authEndpoints.me>> {
  return (await (await browser.get('/api/auth/me')).json()) as ResponseOf<typeof authEndpoints.me>;
}

/** Retries until the ledger responds within its 200 ms, which a busy machine may miss. */
export function wholeMeOf(browser: Browser): ReturnType<typeof meOf> {
  return eventually(async () => {
    const me = await meOf(browser);
    return me.user.current_balance !== null && me;
  });
}

/** Returns the sign-in sessions of a browser's user. */
export async function sessionsOf(browser: Browser): Promise<ResponseOf<typeof authEndpoints.sessions>> {
  return (await (await browser.get('/api/auth/sessions')).json()) as ResponseOf<typeof authEndpoints.sessions>;
}
