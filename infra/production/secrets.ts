import { execFileSync } from 'node:child_process';
import { randomBytes, X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { callerKeyOf } from '../../services/kit/caller-key.ts';
import { writeOnce, writeWhole } from '../../services/kit/whole-file.ts';
import { GATEWAY_USER, RIGHTS_USER } from '../dev/starter/nats.ts';
import { StartError } from '../dev/starter/problems.mjs';
import { SERVICES, secretsOf, signaturesKey } from '../dev/starter/services.ts';
import { SETUP_USER } from '../dev/starter/streams.ts';
import { NATS_PORT, NATS_SERVERS, natsHost, passwordName } from './made/nats.js';

/** Secrets provided by third parties. */
const GIVEN = ['DISCORD_CLIENT_SECRET', 'SOLANA_RPC_URL'];
const MONGO = { hosts: ['mongo-0', 'mongo-1', 'mongo-2'], port: 27_017, set: 'cord', jobs: 'jobs' };
/** Files derived from each file, or paired with it: if one exists, a new key or password would not match stored data and would lock everybody out. */
const WITNESSES = {
  'auth/TOMBSTONE_KEY': 'rewards/SIGNATURES_KEY',
  'auth/ADDRESS_HASH_KEY': 'mining/ADDRESS_HASH_KEY',
  'mongo/users.json': 'jobs/MONGODB_URI',
};
/** Host names of the servers, by folder of their certificate. */
const SERVERS_OF = { nats: [...NATS_SERVERS.map(natsHost), 'nats'], mongo: MONGO.hosts };
const AUTHORITY_DAYS = 3650;
const CERTIFICATE_DAYS = 825;
/** A certificate that expires sooner is renewed, days. */
const RENEWED_DAYS = 90;
const KEYFILE_BYTES = 512;
const hex = () => randomBytes(32).toString('hex');

/**
 * Creates the missing secrets of a deployment, one file each. Existing files stay, except certificates that expire soon or belong
 * to another authority. A NATS user without a password in passwords.conf gets a new one, and its URL follows, just as caller keys
 * follow the gateway's key.
 * @param given of a migrated system
 * @returns paths below the folder
 * @throws {StartError} naming a file that is empty and not provided by others, or one that is missing and must not be replaced
 */
export async function makeSecrets(
  folder: string,
  { tombstoneKey }: { tombstoneKey?: string } = {},
): Promise<{ made: string[]; empty: string[] }> {
  const files = secretFiles(folder);
  refuseLost(files, tombstoneKey);
  const tombstones = await files.once('auth/TOMBSTONE_KEY', () => tombstoneKey ?? hex());
  if (tombstoneKey && tombstones !== tombstoneKey)
    throw new StartError('auth/TOMBSTONE_KEY already exists with another key.');
  const { NATS_USERS } = await import('@cord/contracts/events/accounts');
  const nats = passwordsIn(await files.lines('nats/passwords.conf', NATS_USERS.map(passwordName)));
  const mongoUsers = () => JSON.stringify(Object.fromEntries([...SERVICES, MONGO.jobs].map((user) => [user, hex()])));
  const mongo: Record<string, string> = JSON.parse(await files.once('mongo/users.json', mongoUsers));
  await files.once('mongo/root', hex);
  await files.once('mongo/keyfile', () => randomBytes(KEYFILE_BYTES).toString('base64'));
  const gatewayKey = await files.once('gateway/GATEWAY_KEY', hex);
  const values: Record<string, string> = {
    ADDRESS_HASH_KEY: await files.once('auth/ADDRESS_HASH_KEY', hex),
    TOMBSTONE_KEY: tombstones,
    SIGNATURES_KEY: signaturesKey(tombstones),
    NATS_RIGHTS_URL: natsUrl(RIGHTS_USER, nats),
    ...Object.fromEntries(GIVEN.map((name) => [name, ''])),
  };
  for (const service of SERVICES) {
    const own: Record<string, string> = {
      ...values,
      MONGODB_URI: mongoUri(service, mongo),
      NATS_URL: natsUrl(service, nats),
      CALLER_KEY: callerKeyOf(gatewayKey, service),
    };
    for (const name of secretsOf(service)) {
      const follows = name === 'CALLER_KEY' ? files.renewed : files.once;
      const make = name.startsWith('NATS_') ? files.address : follows;
      await make(`${service}/${name}`, () => own[name] ?? hex());
    }
  }
  await files.address('gateway/NATS_URL', () => natsUrl(GATEWAY_USER, nats));
  await files.address('jobs/NATS_URL', () => natsUrl(SETUP_USER, nats));
  await files.once('jobs/MONGODB_URI', () => mongoUri(MONGO.jobs, mongo));
  await makeCertificates(files);
  return { made: files.made, empty: files.empty };
}

type SecretFiles = ReturnType<typeof secretFiles>;

/** Manages files that are created once. */
function secretFiles(folder: string) {
  const made: string[] = [];
  const empty: string[] = [];
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Nobody else can enter; a service's folder may be read by the user of its container, which mounts only that folder.
  chmodSync(folder, 0o700);
  const take = async (
    path: string,
    make: (file: string) => unknown,
    isKept: (file: string) => boolean = () => true,
  ): Promise<string> => {
    const file = join(folder, path);
    if (!existsSync(file) || !isKept(file)) {
      mkdirSync(dirname(file), { recursive: true });
      await make(file);
      made.push(path);
    }
    const text = readFileSync(file, 'utf8').trimEnd();
    if (text === '' && !GIVEN.includes(basename(path))) throw new StartError(`${file} is empty: remove it.`);
    chmodSync(dirname(file), 0o755);
    // Empty files stay writable, so that they can be filled in.
    chmodSync(file, text === '' ? 0o644 : 0o444);
    if (text === '') empty.push(path);
    return text;
  };
  return {
    once: (path: string, text: () => string) => take(path, (file) => writeOnce(file, text(), 0o400)),
    by: take,
    /** Adds a password for each of these names; existing lines stay. */
    lines: (path: string, names: readonly string[]) => {
      const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
      const missing = (file: string) => names.filter((name) => !textOf(file).includes(`${name}: "`));
      const added = (file: string) => missing(file).map((name) => `${name}: "${hex()}"\n`);
      return take(
        path,
        (file) => writeWhole(file, [textOf(file).replace(/[^\n]$/, '$&\n'), ...added(file)].join(''), 0o400),
        (file) => missing(file).length === 0,
      );
    },
    /** A URL of one of our servers follows its password; that of another server stays. */
    address: (path: string, url: () => string) =>
      take(
        path,
        (file) => writeWhole(file, url(), 0o400),
        (file) => {
          const text = readFileSync(file, 'utf8').trimEnd();
          return text === url() || withoutPasswords(text) !== withoutPasswords(url());
        },
      ),
    /** A derived key follows its source; the former key stays after it until an operator removes it. */
    renewed: (path: string, key: () => string) => {
      const first = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split(',')[0] : '');
      return take(
        path,
        (file) => writeWhole(file, [key(), first(file)].filter(Boolean).join(), 0o400),
        (file) => first(file) === key(),
      );
    },
    /** A file composed of others follows them. */
    same: (path: string, text: string) =>
      take(
        path,
        (file) => writeWhole(file, text, 0o400),
        (file) => readFileSync(file, 'utf8') === text,
      ),
    at: (path: string) => join(folder, path),
    made,
    empty,
  };
}

function refuseLost({ at }: SecretFiles, tombstoneKey: string | undefined): void {
  for (const [path, witness] of Object.entries(WITNESSES)) {
    if (existsSync(at(path)) || !existsSync(at(witness))) continue;
    const isBrought = path === 'auth/TOMBSTONE_KEY' && tombstoneKey !== undefined;
    if (isBrought && signaturesKey(tombstoneKey) === readFileSync(at(witness), 'utf8').trimEnd()) continue;
    throw new StartError(`${path} is missing, but ${witness} exists: restore the same file.`);
  }
}

/**
 * Creates the deployment's certificate authority, and its certificates for NATS and MongoDB; whoever has the authority's key can issue more.
 * @throws {StartError} when a certificate is due and the key is not here, or the authority expires soon
 */
async function makeCertificates({ by, same, at }: SecretFiles): Promise<void> {
  const authorityKey = at('authority/ca.key');
  const authority = ['-CA', at('ca/ca.crt'), '-CAkey', authorityKey];
  const uses = ['basicConstraints=critical,CA:FALSE', 'extendedKeyUsage=serverAuth,clientAuth'];
  mkdirSync(at('authority'), { recursive: true });
  await by('ca/ca.crt', (file) => makePair(file, authorityKey, AUTHORITY_DAYS, ['-subj', '/CN=CORD']));
  // Only the first certificate of that file: an operator's MongoDB authority may follow, which must not identify NATS servers.
  const own = new X509Certificate(readFileSync(at('ca/ca.crt')));
  for (const [who, hosts] of Object.entries(SERVERS_OF)) {
    const names = [...hosts, 'localhost'].map((name) => `DNS:${name}`).join(',');
    const extensions = [`subjectAltName=${names}`, ...uses].flatMap((one) => ['-addext', one]);
    const [key, file] = [at(`${who}/tls.key`), at(`${who}/tls.crt`)];
    mkdirSync(at(who), { recursive: true });
    const make = () => {
      if (!existsSync(authorityKey))
        throw new StartError(`${file} must be issued again: restore the key of its authority as ${authorityKey}.`);
      makePair(file, key, CERTIFICATE_DAYS, [...authority, ...extensions, '-subj', `/CN=${who}`]);
    };
    await by(`${who}/tls.crt`, make, () => isGood(new X509Certificate(readFileSync(file)), own));
    chmodSync(key, 0o444);
    await same(`${who}/ca.crt`, own.toString());
  }
  // mongod reads both from one file.
  await same('mongo/tls.pem', readFileSync(at('mongo/tls.crt'), 'utf8') + readFileSync(at('mongo/tls.key'), 'utf8'));
  if (!lasts(own))
    throw new StartError(
      `the authority ${at('ca/ca.crt')} ends ${own.validTo}: renew it (infra/production/README.md#certificates).`,
    );
}

const lasts = ({ validTo }: X509Certificate) => Date.parse(validTo) - Date.now() > RENEWED_DAYS * 86_400_000;

const isGood = (certificate: X509Certificate, authority: X509Certificate) =>
  lasts(certificate) && certificate.verify(authority.publicKey);

/** Creates a certificate and its key; they replace the former ones only when both are complete. */
function makePair(file: string, key: string, days: number, how: string[]): void {
  const pair = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', String(days)];
  const [newFile, newKey] = [`${file}.new`, `${key}.new`];
  try {
    execFileSync('openssl', ['req', '-x509', ...pair, ...how, '-keyout', newKey, '-out', newFile], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  } catch (error) {
    throw new StartError(
      `openssl 3 is required, and made no certificate: ${(error as { stderr?: Buffer }).stderr ?? (error as Error).message}`,
    );
  }
  renameSync(newKey, key);
  renameSync(newFile, file);
}

const withoutPasswords = (url: string): string => url.replace(/:[^:@,/]*@/g, '@');

function passwordsIn(text: string): (user: string) => string {
  const found = new Map([...text.matchAll(/^(\w+): "([0-9a-f]+)"$/gm)].map(([, name, password]) => [name, password]));
  return (user) => {
    const password = found.get(passwordName(user));
    if (!password) throw new StartError(`nats/passwords.conf has a foreign line for ${user}: remove it.`);
    return password;
  };
}

const natsUrl = (user: string, passwordOf: (user: string) => string): string =>
  NATS_SERVERS.map((server) => `tls://${user}:${passwordOf(user)}@${natsHost(server)}:${NATS_PORT}`).join(',');

/** Returns the MongoDB URI of a user. The server proves its identity by a certificate of the authority, which the processes have as NODE_EXTRA_CA_CERTS. */
const mongoUri = (user: string, passwords: Readonly<Record<string, string>>): string => {
  const servers = MONGO.hosts.map((host) => `${host}:${MONGO.port}`).join(',');
  return `mongodb://${user}:${passwords[user]}@${servers}/?replicaSet=${MONGO.set}&authSource=admin&tls=true`;
};
