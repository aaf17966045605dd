import { z } from 'zod';
import { DRAIN_MS_DEFAULT, DRAIN_MS_MAX } from './bounds.js';
import {
  base58,
  httpUrl,
  isCidr,
  isoTime,
  likeThis,
  listOf,
  mongodbUri,
  natsUrl,
  numberLike,
  onOff,
  origin,
  PORT_MAX,
  port,
  renewable,
  secret,
  text,
} from './variable-formats.js';

/*
 * Single definition of every environment variable. The start, the services, the gateway, the page of variables (infra/dev/ENVIRONMENT.md)
 * and deployment files take from it the names, valid values, readers and secrets. The start reads this file before anything is built, so it
 * imports none of our packages.
 */

/** A variable of the environment. */
export interface Variable<S extends z.ZodType = z.ZodType> {
  /** Readers: `all` processes, `start`, `services` (each), one of them, `gateway`, `dev` (stand-ins of local mode), `tests`. */
  readonly by: readonly string[];
  /** Validates and parses a value; includes the default when it is the same for every reader. */
  readonly schema: S;
  readonly meaning: string;
  /** The effective value when unset, as text. */
  readonly fallback: string;
  /** May be in a file, named by NAME_FILE or of its name in SECRETS_DIR. */
  readonly secret: boolean;
  /** The service reads the file itself, again when it changes. */
  readonly renewed: boolean;
  /** The start generates it for its processes and ignores the environment. */
  readonly made: boolean;
}

type Flag = 'secret' | 'renewed' | 'made';

/** @param fallback as text; default: the schema's default */
function row<S extends z.ZodType>(
  by: string,
  schema: S,
  meaning: string,
  { fallback, is = [] }: { fallback?: string; is?: readonly Flag[] } = {},
): Variable<S> {
  const flags = { secret: is.includes('secret'), renewed: is.includes('renewed'), made: is.includes('made') };
  return { by: by.split(', '), schema, meaning, fallback: fallback ?? defaultOf(schema), ...flags };
}

function defaultOf(schema: z.ZodType): string {
  const { success, data } = schema.safeParse(undefined);
  return success && data !== undefined ? String(data) : 'none';
}

/** Replica numbers are below this, as in the contracts. */
export const REPLICAS_MAX = 32;
/** Generated once by the start on one machine; production must set it. */
export const MADE_ONCE = 'made here; required in production';

export const VARIABLES = {
  NODE_ENV: row(
    'all',
    text.default('development'),
    '`production` ends local mode and requires all production settings',
  ),
  HOST: row('all', text.default('127.0.0.1'), 'address to listen on; local mode only on loopback', {
    fallback: '127.0.0.1; 0.0.0.0 for a start in production',
  }),
  PORT: row('all', port, 'port of the origin; for a service, of its calls (its operations are on the next port)', {
    fallback: '8080; 0 (a free one)',
  }),
  LOG_LEVEL: row(
    'all',
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
    'trace to fatal, or silent',
  ),
  DISCORD_CLIENT_ID: row('all', text.optional(), 'Discord application; without it a stand-in'),
  PUBLIC_ORIGIN: row(
    'start, services, gateway, dev',
    origin.default('http://localhost:8080'),
    'the address that users open; https in production',
    { fallback: 'http://localhost:PORT' },
  ),
  CORD_DATA: row('start, services, gateway, dev', text.default('.data'), 'folder of data, logs and secrets made here'),
  CORD_REPLICA: row(
    'services',
    numberLike(/^\d{1,2}$/, 'a whole number')
      .refine((value) => value < REPLICAS_MAX, `must be less than ${REPLICAS_MAX}`)
      .default(0),
    'number of this replica among those of its service',
    { is: ['made'] },
  ),
  CORD_TEST_BACKEND: row('tests', text.optional(), 'the servers that the suites of a test run share, JSON', {
    fallback: 'own servers',
  }),
  DRAIN_MS: row(
    'services, gateway',
    numberLike(/^\d{1,6}$/, 'a whole number of ms')
      .refine((value) => value <= DRAIN_MS_MAX, `must be at most ${DRAIN_MS_MAX}`)
      .default(DRAIN_MS_DEFAULT),
    'delay between unready and closed after SIGTERM, ms: twice the interval of the slowest prober',
  ),
  TRUSTED_PROXIES: row(
    'services, gateway',
    listOf(isCidr, 'must be a list of addresses or CIDR ranges').default([]),
    'addresses and CIDR ranges whose X-Forwarded-For is trusted',
    { fallback: 'none' },
  ),
  RATE_LIMIT_SCALE: row(
    'services, gateway',
    numberLike(/^\d{1,6}(\.\d{1,3})?$/, 'a number of at least 0').default(1),
    'multiplies every rate limit; 0 (off) not in production',
  ),
  MONGODB_URI: row('start, services', mongodbUri.default('mongodb://127.0.0.1:27017'), 'the document store', {
    fallback: 'started here',
    is: ['secret'],
  }),
  NATS_URL: row(
    'start, services, gateway',
    natsUrl.default('nats://127.0.0.1:4222'),
    'NATS, with its user; `tls://` requires TLS',
    { fallback: 'started here', is: ['secret'] },
  ),
  NATS_CREDS: row('start, services, gateway', text.optional(), 'creds file for NATS_URL'),
  NATS_REPLICAS: row(
    'start, `npx cord streams`',
    z.enum(['1', '3', '5']).default('1'),
    'copies of each stream in a NATS cluster: 1, 3 or 5; never lowered',
  ),
  NATS_RIGHTS_URL: row('auth', natsUrl.optional(), 'NATS with the user of auth’s own account', {
    fallback: 'as NATS_URL',
    is: ['secret'],
  }),
  NATS_RIGHTS_CREDS: row('auth', text.optional(), 'creds file for NATS_RIGHTS_URL'),
  DISCORD_CLIENT_SECRET: row('auth, dev', text.optional(), 'its secret', {
    fallback: 'made here for the stand-in',
    is: ['secret'],
  }),
  DISCORD_PKCE: row('auth', onOff, 'on or off'),
  ADMIN_DISCORD_IDS: row(
    'auth',
    listOf((id) => /^\d{1,20}$/.test(id), 'must be a list of Discord ids').default([]),
    'Discord ids of the admins, with commas',
    { fallback: 'none' },
  ),
  SESSION_SECRET: row('auth', renewable.optional(), 'signs sign-ins in progress; new and former with a comma', {
    fallback: MADE_ONCE,
    is: ['secret', 'renewed'],
  }),
  KEY_ENCRYPTION_KEY: row(
    'auth',
    renewable.optional(),
    'encrypts the keys that sign sessions; new and former with a comma',
    { fallback: MADE_ONCE, is: ['secret', 'renewed'] },
  ),
  ADDRESS_HASH_KEY: row('auth, mining', secret().optional(), 'hashes addresses for limits and anti-cheat', {
    fallback: MADE_ONCE,
    is: ['secret'],
  }),
  LEDGER_LOG_KEY: row(
    'mining',
    renewable.optional(),
    'the key that signs the daily roots is derived from it; new and former with a comma',
    { fallback: MADE_ONCE, is: ['secret'] },
  ),
  LEDGER_MEMO_KEY: row(
    'mining',
    likeThis(/^[0-9a-f]{64}$/, '64 hex characters').optional(),
    'seed of the Solana account that writes the newest checkpoint of the ledger’s log as a memo; it needs SOL for fees',
    { fallback: 'made here; none in production: no memos', is: ['secret'] },
  ),
  LEDGER_WITNESSES: row(
    'mining',
    likeThis(
      /^\s*witness( +\S+){2} +https?:[^\s;]+(\s*[;\n]\s*witness( +\S+){2} +https?:[^\s;]+)*[\s;]*$/,
      'lines such as witness NAME KEY URL, with semicolons between',
    ).optional(),
    'witnesses that sign checkpoints of the ledger’s log, `witness NAME KEY URL` with semicolons between (C2SP tlog-policy)',
    { fallback: 'none' },
  ),
  TOMBSTONE_KEY: row('auth', secret(), 'hashes Discord ids of erased users; may never change', {
    fallback: MADE_ONCE,
    is: ['secret'],
  }),
  GATEWAY_KEY: row('gateway', secret(), 'derives the keys with which the gateway identifies callers to each service', {
    fallback: MADE_ONCE,
    is: ['secret'],
  }),
  CALLER_KEY: row(
    'services',
    renewable,
    'key of one service for the gateway’s tokens, derived from GATEWAY_KEY; new and former with a comma',
    { is: ['secret', 'made'] },
  ),
  SIGNATURES_KEY: row(
    'rewards',
    likeThis(/^[0-9a-f]{64}$/, '64 hex characters'),
    'hashes used payment signatures; the start derives it from TOMBSTONE_KEY',
    { is: ['secret', 'made'] },
  ),
  SOLANA_RPC_URL: row('rewards, mining', httpUrl.optional(), 'JSON-RPC of the chain, with its key', {
    fallback: 'the runtime of local mode',
    is: ['secret'],
  }),
  SOLANA_TREASURY: row('rewards, dev', base58.optional(), 'the address that receives payments', {
    fallback: 'the runtime’s',
  }),
  SOLANA_REFLECTOR: row(
    'rewards, gateway',
    likeThis(/^[a-z0-9.-]+(:\d{1,5})?$/i, 'a host, with a port or without').optional(),
    'reflector of the mobile wallet protocol',
  ),
  SOLANA_FUNDED: row(
    'dev',
    base58.optional(),
    'the address that gets test SOL from the runtime of local mode; set by the start',
    {
      is: ['made'],
    },
  ),
  SOLANA_RUNTIME_URL: row('dev', httpUrl.optional(), 'address of the runtime of local mode; set by the start', {
    is: ['made'],
  }),
  BADGE_PRICE_LAMPORTS: row(
    'rewards',
    numberLike(/^[1-9]\d{0,12}$/, 'a whole number of lamports').optional(),
    'price of the badge',
    { fallback: 'of the contract' },
  ),
  SOL_PRICE_URL: row('rewards', httpUrl.optional(), 'source of the SOL price'),
  VAPID_PRIVATE_KEY: row(
    'notices',
    likeThis(/^([0-9a-f]{64}|[A-Za-z0-9_-]{43}=?)$/, '32 bytes as hex or base64url').optional(),
    'identifies this system to push services, 32 bytes; a change ends all subscriptions',
    { fallback: 'made here; none in production: no push notifications', is: ['secret'] },
  ),
  VAPID_PUBLIC_KEY: row('notices', text.optional(), 'the matching public key; a wrong one stops the start', {
    fallback: 'of the private key',
  }),
  VAPID_SUBJECT: row(
    'notices',
    likeThis(/^(https:\/\/|mailto:).+/, 'an address that begins with https:// or mailto:').optional(),
    'contact for push services, mailto: or https:',
    { fallback: 'PUBLIC_ORIGIN' },
  ),
  PUSH_HOSTS: row('notices', text.optional(), 'allowed hosts of push services, with commas; each with *. or :port', {
    fallback: 'those of the browsers',
  }),
  COMPENSATION: row('rewards', onOff, 'whether the compensation can be claimed, on or off'),
  COMPENSATION_UNTIL: row('rewards', isoTime.optional(), 'only for accounts that joined before, ISO 8601', {
    fallback: 'everybody',
  }),
  MODULE_STORE: row('start, gateway', text.optional(), 'folder of the published modules', {
    fallback: 'CORD_DATA/modules',
  }),
  METRICS_HOST: row('gateway', text.default('127.0.0.1'), 'address of the gateway’s /metrics, /livez and /readyz', {
    is: ['made'],
  }),
  METRICS_PORT: row(
    'gateway',
    z
      .string()
      .default('0')
      .transform((ports) => ports.split(',').map(Number))
      .pipe(z.array(z.number().int().min(0).max(PORT_MAX))),
    'their port; several, with commas: as many gateways share PORT',
    { fallback: '0 (a free one)', is: ['made'] },
  ),
  UPSTREAMS: row(
    'gateway',
    text.optional(),
    'JSON of the services’ addresses, http. A name stands for all its addresses, resolved every 5 s',
    { is: ['made'] },
  ),
  UPSTREAMS_FILE: row('gateway', text.optional(), 'a file with the same, read again on changes', { is: ['made'] }),
  SHELL_DIR: row('gateway', text, 'the built shell', { fallback: 'set by the start', is: ['made'] }),
  HOT_RELOAD: row('gateway', text.optional(), 'JSON of the hot-reload servers', {
    fallback: 'set by `npm run dev`',
    is: ['made'],
  }),
} satisfies Record<string, Variable>;

/** The name of a variable. */
type VariableName = keyof typeof VARIABLES;
type Schemas = { [Name in VariableName]: (typeof VARIABLES)[Name]['schema'] };

/** The schema of each variable, by name; configurations pick from it. */
export const schemas = Object.fromEntries(
  Object.entries(VARIABLES).map(([name, { schema }]) => [name, schema]),
) as Schemas;
