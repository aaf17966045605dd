import { readBy, variableOf } from '@cord/kit/environment';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { MADE_ONCE } from '@cord/kit/variables';
import { expect, test } from 'vitest';
import { NEEDED_WITH_SECRETS, secretsOf } from '../backup/keys.ts';
import { BACKED_UP } from '../backup/secrets.ts';
import { readFlags } from '../starter/flags.mjs';
import { installationSecrets, SERVICES, serviceProcess } from '../starter/services.ts';
import { readSettings, type Settings } from '../starter/settings.ts';

const secrets = {
  SESSION_SECRET: 's'.repeat(64),
  KEY_ENCRYPTION_KEY: 'k'.repeat(64),
  ADDRESS_HASH_KEY: 'a'.repeat(64),
  TOMBSTONE_KEY: 't'.repeat(64),
  GATEWAY_KEY: 'g'.repeat(64),
};
/** HKDF of that TOMBSTONE_KEY for used signatures; it must not change, since rewards stores these hashes. */
const SIGNATURES_KEY = 'e150bdda72a8566f70ffacc7028031350fa8d7af930ff93b07e4b83f38a4a40c';

const envOf = (service: string): Record<string, string> =>
  serviceProcess({
    ...{ service, replica: 0, port: 4711, secrets, publicOrigin: 'http://localhost:8080' },
    settings: { env: secrets, dataDir: '.data' } as unknown as Settings,
    mongodbUri: 'mongodb://127.0.0.1',
    natsUrl: 'nats://127.0.0.1',
  }).env;

test('only auth gets TOMBSTONE_KEY; only rewards gets SIGNATURES_KEY, derived from it', () => {
  const holders = SERVICES.filter((service: string) => Object.values(envOf(service)).includes(secrets.TOMBSTONE_KEY));
  expect(holders).toEqual(['auth']);
  expect(envOf('rewards').SIGNATURES_KEY).toBe(SIGNATURES_KEY);
  expect(SERVICES.filter((service: string) => 'SIGNATURES_KEY' in envOf(service))).toEqual(['rewards']);
});

test('each service gets its own CALLER_KEY, and none gets GATEWAY_KEY', () => {
  const keys = SERVICES.map((service: string) => envOf(service).CALLER_KEY ?? '');
  expect(new Set(keys).size).toBe(SERVICES.length);
  expect(keys.every((key: string) => /^[0-9a-f]{64}$/.test(key))).toBe(true);
  for (const service of SERVICES) expect(Object.values(envOf(service))).not.toContain(secrets.GATEWAY_KEY);
});

test.each([
  ['local mode', {}],
  ['a Discord application without NODE_ENV=production', { DISCORD_CLIENT_ID: '1', DISCORD_CLIENT_SECRET: 's' }],
])('%s: each process gets every generated secret that it reads, and a backup has them', async (_mode, environment) => {
  const place = stopAfterTest(await scratch());
  const settings = readSettings(readFlags(['--data', place.folder]), environment);
  const made = await installationSecrets(settings);
  for (const service of SERVICES) {
    const { env } = serviceProcess({
      ...{ service, replica: 0, port: 4711, settings, secrets: made, publicOrigin: 'http://localhost:8080' },
      ...{ mongodbUri: 'mongodb://127.0.0.1', natsUrl: 'nats://127.0.0.1' },
    });
    const wanted = readBy(service).filter((name) => variableOf(name)?.fallback === MADE_ONCE);
    expect(
      wanted.filter((name) => !env[name] && !env[`${name}_FILE`]),
      service,
    ).toEqual([]);
  }
  expect(made.GATEWAY_KEY).toMatch(/^[0-9a-f]{64}$/);
  const backedUp = await secretsOf(settings, NEEDED_WITH_SECRETS);
  expect(Object.keys(backedUp).sort()).toEqual([...BACKED_UP].sort());
  expect(backedUp.TOMBSTONE_KEY).toBe(made.TOMBSTONE_KEY);
});

test('in production a backup needs the secrets of a start, and includes memo and push keys if set', async () => {
  const needed = Object.fromEntries(NEEDED_WITH_SECRETS.map((name) => [name, name.padEnd(32, '-')]));
  const production = { NODE_ENV: 'production', DISCORD_CLIENT_ID: '1', PUBLIC_ORIGIN: 'https://cord.example' };
  const { env } = readSettings(readFlags([]), { ...production, ...needed, GATEWAY_KEY: 'g'.repeat(32) });
  const from = { env, dataDir: '.data' };
  expect(await secretsOf(from, NEEDED_WITH_SECRETS)).toEqual(needed);
  const optional = { LEDGER_MEMO_KEY: 'a'.repeat(64), VAPID_PRIVATE_KEY: 'b'.repeat(64) };
  const whole = { ...from, env: { ...env, ...optional } };
  expect(await secretsOf(whole, NEEDED_WITH_SECRETS)).toEqual({ ...needed, ...optional });
  for (const name of NEEDED_WITH_SECRETS) {
    const { [name]: _left, ...rest } = env;
    await expect(secretsOf({ ...from, env: rest }, NEEDED_WITH_SECRETS)).rejects.toThrow(`${name} missing`);
  }
});
