import { expect, test } from 'vitest';
import { SERVICES, serviceProcess } from '../starter/services.ts';
import type { Settings } from '../starter/settings.ts';

const secrets = {
  SESSION_SECRET: 's'.repeat(64),
  KEY_ENCRYPTION_KEY: 'k'.repeat(64),
  ADDRESS_HASH_KEY: 'a'.repeat(64),
  TOMBSTONE_KEY: 't'.repeat(64),
  GATEWAY_KEY: 'g'.repeat(64),
};
/** What HKDF makes of that TOMBSTONE_KEY for used signatures: stored hashes hold on to it. */
const SIGNATURES_KEY = 'e150bdda72a8566f70ffacc7028031350fa8d7af930ff93b07e4b83f38a4a40c';

const envOf = (service: string): Record<string, string> =>
  serviceProcess({
    ...{ service, replica: 0, port: 4711, secrets, publicOrigin: 'http://localhost:8080' },
    settings: { env: secrets, dataDir: '.data' } as unknown as Settings,
    mongodbUri: 'mongodb://127.0.0.1',
    natsUrl: 'nats://127.0.0.1',
  }).env;

test('the secret with which Discord ids could be tried reaches auth alone; rewards has a key for used signatures', () => {
  const holders = SERVICES.filter((service: string) => Object.values(envOf(service)).includes(secrets.TOMBSTONE_KEY));
  expect(holders).toEqual(['auth']);
  expect(envOf('rewards').SIGNATURES_KEY).toBe(SIGNATURES_KEY);
  expect(SERVICES.filter((service: string) => 'SIGNATURES_KEY' in envOf(service))).toEqual(['rewards']);
});

test('the key by which the gateway identifies callers to services reaches none of them; each has one of its own', () => {
  const keys = SERVICES.map((service: string) => envOf(service).CALLER_KEY ?? '');
  expect(new Set(keys).size).toBe(SERVICES.length);
  expect(keys.every((key: string) => /^[0-9a-f]{64}$/.test(key))).toBe(true);
  for (const service of SERVICES) expect(Object.values(envOf(service))).not.toContain(secrets.GATEWAY_KEY);
});
