// @ts-check
/*
 * Every variable of the environment, once: the start, the services, the gateway, the page of variables (infra/dev/ENVIRONMENT.md) and the files of a
 * deployment take from here what there is, who is given it and what is secret. Plain JavaScript, because the start reads it before anything is built.
 */

/**
 * @typedef {object} Variable
 * @property {string[]} by who reads it: `all` processes, `start`, `services` (each), one of them, `gateway`, `dev` (what stands in for others in local mode), `tests`
 * @property {string} fallback what holds where it is not set
 * @property {string} meaning
 * @property {boolean} secret it holds one: it may stand in a file, which NAME_FILE names
 * @property {boolean} renewed the file of it is read by the service itself, again when it changes
 * @property {boolean} made by the start for its processes, which takes none from outside
 */

/**
 * Name, then readers, fallback and meaning, and what else is to be known of it.
 * @type {Readonly<Record<string, readonly [by: string, fallback: string, meaning: string, more?: string]>>}
 */
const ROWS = {
  NODE_ENV: ['all', 'development', '`production` ends local mode and requires all production settings'],
  HOST: ['all', '127.0.0.1; 0.0.0.0 of a start in production', 'where it listens; local mode on loopback only'],
  PORT: [
    'all',
    '8080; 0 (a free one)',
    'port of the origin; of a service its calls, whose operations are on the next port',
  ],
  LOG_LEVEL: ['all', 'info', 'trace to fatal, or silent'],
  DISCORD_CLIENT_ID: ['all', 'none', 'Discord application; without it a stand-in'],
  PUBLIC_ORIGIN: [
    'start, services, gateway, dev',
    'http://localhost:PORT',
    'the address that people use; https in production',
  ],
  CORD_DATA: ['start, services, gateway, dev', '.data', 'folder of data, logs and secrets made here'],
  CORD_REPLICA: ['services', '0', 'number of this replica among those of its service', 'made'],
  CORD_TEST_BACKEND: ['tests', 'servers of their own', 'the servers that the suites of a run share, JSON'],
  DRAIN_MS: [
    'services, gateway',
    '2000',
    'from unready to closed after SIGTERM, ms: twice the interval of the slowest prober',
  ],
  TRUSTED_PROXIES: ['services, gateway', 'none', 'addresses and CIDR ranges whose X-Forwarded-For is believed'],
  RATE_LIMIT_SCALE: ['services, gateway', '1', 'multiplies every limit; 0 (off) not in production'],
  MONGODB_URI: ['start, services', 'started here', 'the document store', 'secret'],
  NATS_URL: ['start, services, gateway', 'started here', 'NATS, with its user; `tls://` is TLS or nothing', 'secret'],
  NATS_CREDS: ['start, services, gateway', 'none', 'creds file for NATS_URL'],
  NATS_REPLICAS: [
    'start, `npx cord streams`',
    '1',
    'copies of each stream in a NATS cluster: 1, 3 or 5; never lowered',
  ],
  NATS_RIGHTS_URL: ['auth', 'as NATS_URL', 'NATS with the user of auth’s own account', 'secret'],
  NATS_RIGHTS_CREDS: ['auth', 'none', 'creds file for NATS_RIGHTS_URL'],
  DISCORD_CLIENT_SECRET: ['auth, dev', 'made here for the stand-in', 'its secret', 'secret'],
  DISCORD_PKCE: ['auth', 'on', 'on or off'],
  ADMIN_DISCORD_IDS: ['auth', 'none', 'who is an admin, Discord ids with commas'],
  SESSION_SECRET: [
    'auth',
    'made here; needed in production',
    'signs sign-ins under way; new and former with a comma',
    'secret renewed',
  ],
  KEY_ENCRYPTION_KEY: [
    'auth',
    'made here; needed in production',
    'seals the keys that sign sessions; new and former with a comma',
    'secret renewed',
  ],
  ADDRESS_HASH_KEY: [
    'auth, mining',
    'made here; needed in production',
    'hashes addresses for limits and anti-cheat',
    'secret',
  ],
  LEDGER_LOG_KEY: [
    'mining',
    'made here; needed in production',
    'the key that signs the roots of days is made of it; new and former with a comma',
    'secret',
  ],
  TOMBSTONE_KEY: [
    'auth',
    'made here; needed in production',
    'hashes Discord ids of the erased; may never change',
    'secret',
  ],
  GATEWAY_KEY: [
    'gateway',
    'made here; needed in production',
    'makes the keys under which the gateway says to each service who calls',
    'secret',
  ],
  CALLER_KEY: [
    'services',
    'none',
    'key of one service for the gateway’s tokens, made of GATEWAY_KEY; new and former with a comma',
    'secret made',
  ],
  SIGNATURES_KEY: [
    'rewards',
    'none',
    'hashes used payment signatures; the start makes it of TOMBSTONE_KEY',
    'secret made',
  ],
  SOLANA_RPC_URL: ['rewards', 'the runtime of local mode', 'JSON-RPC of the chain, with its key', 'secret'],
  SOLANA_TREASURY: ['rewards, dev', 'the runtime’s', 'the address that is paid'],
  SOLANA_REFLECTOR: ['rewards, gateway', 'none', 'reflector of the mobile wallet protocol'],
  SOLANA_RUNTIME_URL: ['dev', 'none', 'where the runtime of local mode is; set by the start', 'made'],
  BADGE_PRICE_LAMPORTS: ['rewards', 'of the contract', 'price of the badge'],
  SOL_PRICE_URL: ['rewards', 'none', 'source of the SOL price'],
  VAPID_PRIVATE_KEY: [
    'notices',
    'made here; none in production: nothing is pushed',
    'by it push services know this system, 32 bytes; with another all devices end',
    'secret',
  ],
  VAPID_PUBLIC_KEY: ['notices', 'of the private one', 'what belongs to it; another one stops the start'],
  VAPID_SUBJECT: ['notices', 'PUBLIC_ORIGIN', 'contact for push services, mailto: or https:'],
  PUSH_HOSTS: ['notices', 'those of the browsers', 'hosts that may be pushed to, with commas; each with *. or :port'],
  COMPENSATION: ['rewards', 'on', 'whether the compensation can be claimed, on or off'],
  COMPENSATION_UNTIL: ['rewards', 'everybody', 'only for accounts that joined before, ISO 8601'],
  MODULE_STORE: ['start, gateway', 'CORD_DATA/modules', 'folder of the published modules'],
  METRICS_HOST: ['gateway', '127.0.0.1', 'where the gateway’s /metrics, /livez and /readyz are', 'made'],
  METRICS_PORT: [
    'gateway',
    '0 (a free one)',
    'their port; with several, by commas, so many gateways share PORT',
    'made',
  ],
  UPSTREAMS: [
    'gateway',
    'none',
    'JSON of the services’ addresses, http. A name means all addresses that it resolves to, every 5 s',
    'made',
  ],
  UPSTREAMS_FILE: ['gateway', 'none', 'a file with the same, looked at again and again', 'made'],
  SHELL_DIR: ['gateway', 'set by the start', 'the built shell', 'made'],
  HOT_RELOAD: ['gateway', 'set by `npm run dev`', 'JSON of the hot-reload servers', 'made'],
};

/** @type {Readonly<Record<string, Variable>>} */
export const VARIABLES = Object.fromEntries(
  Object.entries(ROWS).map(([name, [by, fallback, meaning, more = '']]) => {
    /** @param {string} word */
    const is = (word) => more.split(' ').includes(word);
    const flags = { secret: is('secret'), renewed: is('renewed'), made: is('made') };
    return [name, { by: by.split(', '), fallback, meaning, ...flags }];
  }),
);

const names = Object.keys(VARIABLES);

/** Variables with something secret in them. */
export const SECRET_VARIABLES = names.filter((name) => VARIABLES[name]?.secret);
/** Those whose files are read again while their service runs. */
export const RENEWED_VARIABLES = names.filter((name) => VARIABLES[name]?.renewed);

/**
 * What a process reads.
 * @param {string} [process] a service or `gateway`; what every process reads where it is left out
 */
export function readBy(process) {
  const isService = process !== undefined && process !== 'gateway';
  const groups = ['all', process, ...(isService ? ['services'] : [])];
  return names.filter((name) => VARIABLES[name]?.by.some((reader) => groups.includes(reader)));
}

/** First words that belong to others as well: of these a name is ours by its first two. */
const EVERYBODYS = new Set(['NODE', 'PUBLIC', 'LOG', 'SESSION', 'KEY', 'ADDRESS', 'ADMIN', 'MODULE', 'SHELL', 'HOT']);
const OURS = names.flatMap((name) => {
  const [first = '', second, ...rest] = name.split('_');
  if (second === undefined) return [];
  if (!EVERYBODYS.has(first)) return [`${first}_`];
  return rest.length > 0 ? [`${first}_${second}_`] : [`${name}_`];
});

/**
 * Names that look like ours and that nobody reads: typing errors. A few more letters behind a whole name are one, too.
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {readonly string[]} [known] what there is; files of secrets are known by that
 * @returns {string[]}
 */
export function unknownVariables(env, known = names) {
  const files = known.filter((name) => VARIABLES[name]?.secret).map((name) => `${name}_FILE`);
  const all = new Set([...known, ...files]);
  const given = Object.keys(env).filter((name) => env[name] !== undefined && env[name] !== '' && !all.has(name));
  return given.filter((name) => OURS.some((prefix) => name.startsWith(prefix)));
}

/** Whether this host is this machine's own: a loopback address, or localhost. @param {string} host */
export function isLoopback(host) {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

/**
 * Whether what is sent to an address of NATS or MongoDB can be read, or its server be another one, on the way there: it leaves this machine
 * without TLS, or without a look at the certificate.
 * @param {string} addresses a URL; of NATS several with commas, of which each is looked at
 */
export function goesInClear(addresses) {
  const mongodb = /^mongodb(\+srv)?:\/\/(?:[^@/]*@)?([^/?]*)[^?]*\??(.*)$/i.exec(addresses.trim());
  if (mongodb) return mongodbInClear(mongodb);
  return addresses.split(',').some((one) => {
    const given = one.trim();
    const url = /^[a-z]+:\/\//.test(given) ? given : `nats://${given}`;
    return given !== '' && URL.canParse(url) && url.startsWith('nats:') && !isLoopback(new URL(url).hostname);
  });
}

/**
 * Its hosts stand with commas in one URL; mongodb+srv is TLS unless it says otherwise. A host that is a path is a socket of this machine.
 * @param {readonly (string | undefined)[]} parts the whole, whether it is mongodb+srv, hosts, options
 */
function mongodbInClear([, srv, hosts = '', query = '']) {
  /** @param {string} host */
  const isLocal = (host) => /^%2f/i.test(host) || isLoopback(host.replace(/:\d+$/, ''));
  if (!srv && hosts.split(',').every(isLocal)) return false;
  const options = new URLSearchParams(query.toLowerCase());
  const tls = [...options.getAll('tls'), ...options.getAll('ssl')];
  const isOn = tls.length > 0 ? tls.every((value) => value === 'true') : Boolean(srv);
  const looks = ['tlsinsecure', 'tlsallowinvalidcertificates', 'tlsallowinvalidhostnames'];
  return !isOn || looks.some((name) => options.getAll(name).includes('true'));
}
