import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  baseConfig,
  ConfigError,
  isLocalMode,
  loadConfig,
  parseNatsUrl,
  schemas,
  secret,
  warnOfUnknownVariables,
} from './config.js';
import { withSecretFiles } from './environment.js';

const refusal = (env: Record<string, string>): ConfigError => {
  try {
    loadConfig(baseConfig, env);
  } catch (err) {
    if (err instanceof ConfigError) return err;
    throw err;
  }
  throw new Error('it was taken');
};

const production = { NODE_ENV: 'production', PUBLIC_ORIGIN: 'https://cord.example' };

describe('the environment', () => {
  it('needs no variable on one machine', () => {
    expect(loadConfig(baseConfig, {})).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 0,
      RATE_LIMIT_SCALE: 1,
      TRUSTED_PROXIES: [],
    });
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', 'eighty'],
    ['PORT', '-1'],
    ['MONGODB_URI', 'postgres://x'],
    ['NATS_URL', 'nats://:::'],
    ['PUBLIC_ORIGIN', 'https://cord.example/path'],
    ['PUBLIC_ORIGIN', 'cord.example'],
    ['PUBLIC_ORIGIN', 'ftp://cord.example'],
    ['LOG_LEVEL', 'loud'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0.0/8,proxy'],
    ['RATE_LIMIT_SCALE', '-1'],
    ['RATE_LIMIT_SCALE', 'off'],
    ['CORD_PROT', '1'],
  ])('with %s=%s stops the start and names the variable', (name, value) => {
    expect(refusal({ [name]: value }).variables).toEqual([name]);
  });

  it('reports every bad variable, and shows no value', () => {
    const error = refusal({ MONGODB_URI: 'user:hunter2@x', CORD_SECRET: 'hunter2', PORT: 'hunter2' });
    expect([...error.variables].sort()).toEqual(['CORD_SECRET', 'MONGODB_URI', 'PORT']);
    expect(error.message).not.toContain('hunter2');
  });

  it('reports a missing variable as needed', () => {
    expect(() => loadConfig(baseConfig.extend({ TOMBSTONE_KEY: secret() }), { TOMBSTONE_KEY: '' })).toThrow(
      'TOMBSTONE_KEY: is required',
    );
  });

  it('treats an empty variable as absent', () => {
    expect(loadConfig(baseConfig, { PORT: '', CORD_WHATEVER: '' }).PORT).toBe(0);
  });

  it('logs an unknown variable that resembles ours, and stops nothing', () => {
    const warned: unknown[] = [];
    const log = { warn: (fields: unknown) => void warned.push(fields) };
    const env = { RATE_LIMIT_SCAEL: '2', SOLANA_TREASURY: 'of another service', SESSION_MANAGER: 'x' };
    expect(loadConfig(baseConfig, env).RATE_LIMIT_SCALE).toBe(1);
    warnOfUnknownVariables(log as never, env);
    warnOfUnknownVariables(log as never, { PORT: '1' });
    expect(warned).toEqual([{ variables: ['RATE_LIMIT_SCAEL'] }]);
  });

  it('cannot switch off rate limits outside local mode', () => {
    for (const mode of [production, { DISCORD_CLIENT_ID: '1' }])
      expect(refusal({ ...mode, RATE_LIMIT_SCALE: '0' }).variables).toEqual(['RATE_LIMIT_SCALE']);
    expect(loadConfig(baseConfig, { RATE_LIMIT_SCALE: '0' }).RATE_LIMIT_SCALE).toBe(0);
  });

  it('includes a service’s own variables, and a secret must be long', () => {
    const own = baseConfig.extend({ SESSION_SECRET: secret(), COMPENSATION: z.enum(['on', 'off']).default('on') });
    expect(() => loadConfig(own, { SESSION_SECRET: 'short' })).toThrow(/SESSION_SECRET/);
    expect(loadConfig(own, { SESSION_SECRET: 'x'.repeat(32) })).toMatchObject({ COMPENSATION: 'on' });
  });

  it('means local mode only without production and without a real Discord application', () => {
    expect(isLocalMode({})).toBe(true);
    expect(isLocalMode({ NODE_ENV: 'test' })).toBe(true);
    expect(isLocalMode({ NODE_ENV: 'production' })).toBe(false);
    expect(isLocalMode({ DISCORD_CLIENT_ID: '1' })).toBe(false);
  });
});

/** Addresses of a MongoDB that anybody on the way can read, or answer for. */
const MONGODB_IN_CLEAR = [
  'mongodb://u:p@mongo.internal:27017/?authSource=admin',
  'mongodb://mongo.internal',
  'mongodb://127.0.0.1:27017,10.0.0.4:27017/?replicaSet=cord',
  'mongodb://u:p@10.0.0.4/?tls=false',
  'mongodb://u:p@10.0.0.4/?tls=true&ssl=false',
  'mongodb://localhost@10.0.0.4/',
  'mongodb://u:p@127.0.0.1.example/',
  'mongodb+srv://u:p@cluster.example/?tls=false',
  'mongodb+srv://localhost/?ssl=false',
  'mongodb://u:p@10.0.0.4/?tls=true&tlsInsecure=true',
  'mongodb://u:p@10.0.0.4/?tls=true&tlsAllowInvalidCertificates=true',
];

describe('production', () => {
  it('reports everything missing, bad and refused at once', () => {
    const own = baseConfig.extend({ SESSION_SECRET: secret(), NATS_RIGHTS_URL: z.string().optional() });
    const env = {
      NODE_ENV: 'production',
      PORT: 'x',
      NATS_URL: 'nats://nats.internal:4222',
      NATS_RIGHTS_URL: 'nats://127.0.0.1,nats://10.0.0.1',
      RATE_LIMIT_SCALE: '0',
      CORD_PROT: '1',
    };
    try {
      loadConfig(own, env, ['DISCORD_CLIENT_ID', 'ADDRESS_HASH_KEY']);
      expect.unreachable();
    } catch (err) {
      expect([...(err as ConfigError).variables].sort()).toEqual([
        'ADDRESS_HASH_KEY',
        'CORD_PROT',
        'DISCORD_CLIENT_ID',
        'NATS_RIGHTS_URL',
        'NATS_URL',
        'PORT',
        'PUBLIC_ORIGIN',
        'RATE_LIMIT_SCALE',
        'SESSION_SECRET',
      ]);
    }
  });

  it.each<[Record<string, string>, string]>([
    [{ PUBLIC_ORIGIN: 'http://cord.example' }, 'PUBLIC_ORIGIN'],
    [{ PUBLIC_ORIGIN: '' }, 'PUBLIC_ORIGIN'],
    [{ NATS_URL: 'nats://10.0.0.4' }, 'NATS_URL'],
    [{ NATS_URL: 'nats.internal' }, 'NATS_URL'],
    ...MONGODB_IN_CLEAR.map((MONGODB_URI) => [{ MONGODB_URI }, 'MONGODB_URI'] as [Record<string, string>, string]),
  ])('refuses %o', (env, name) => {
    expect(refusal({ ...production, ...env }).variables).toEqual([name]);
  });

  it('refuses traffic in clear off loopback outside local mode, even in a staging system', () => {
    const staging = { DISCORD_CLIENT_ID: '1' };
    expect(refusal({ ...staging, PUBLIC_ORIGIN: 'http://cord.example' }).variables).toEqual(['PUBLIC_ORIGIN']);
    for (const PUBLIC_ORIGIN of ['http://localhost:8080', 'https://cord.example'])
      expect(loadConfig(baseConfig, { ...staging, PUBLIC_ORIGIN })).toMatchObject({ PUBLIC_ORIGIN });
    expect(refusal({ ...staging, NATS_URL: 'nats://10.0.0.4' }).variables).toEqual(['NATS_URL']);
    for (const MONGODB_URI of MONGODB_IN_CLEAR) {
      expect(refusal({ ...staging, MONGODB_URI }).variables).toEqual(['MONGODB_URI']);
      expect(loadConfig(baseConfig, { MONGODB_URI })).toMatchObject({ MONGODB_URI });
    }
  });

  it.each([
    { NATS_URL: 'nats://127.0.0.1:4222' },
    { NATS_URL: 'localhost:4222' },
    { NATS_URL: 'nats://[::1]:4222' },
    { NATS_URL: 'tls://u:p@nats.internal:4222,tls://10.0.0.4' },
    { HOST: '0.0.0.0' },
    { MONGODB_URI: 'mongodb://u:p@127.0.0.1:27017/?replicaSet=cord' },
    { MONGODB_URI: 'mongodb://u:p@localhost,[::1]:27018/cord' },
    { MONGODB_URI: 'mongodb://%2Ftmp%2Fmongodb-27017.sock' },
    { MONGODB_URI: 'mongodb://u:p@a.example,b.example:27018/?replicaSet=cord&tls=true' },
    { MONGODB_URI: 'mongodb://u:p@a.example/cord?ssl=true' },
    { MONGODB_URI: 'mongodb+srv://u:p@cluster.example/' },
  ])('accepts %o', (env) => {
    expect(loadConfig(baseConfig, { ...production, ...env })).toMatchObject(env);
  });

  it('does not require a variable that the process does not read', () => {
    const few = baseConfig.pick({ NODE_ENV: true, HOST: true });
    expect(loadConfig(few, { NODE_ENV: 'production', NATS_URL: 'nats://10.0.0.1' }, ['X'])).toMatchObject({});
  });
});

describe('local mode', () => {
  it.each(['0.0.0.0', '::', '10.0.0.4', 'cord.example', 'localhost.example'])('does not listen on %s', (HOST) => {
    expect(refusal({ HOST }).variables).toEqual(['HOST']);
    expect(loadConfig(baseConfig, { HOST, DISCORD_CLIENT_ID: '1' }).HOST).toBe(HOST);
  });

  it.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('listens on %s', (HOST) => {
    expect(loadConfig(baseConfig, { HOST }).HOST).toBe(HOST);
  });
});

describe('addresses', () => {
  it('keep tls://, and never mix it with nats://', () => {
    expect(parseNatsUrl('tls://u:p@a').tls).toBe(true);
    expect(parseNatsUrl('nats://a,b').tls).toBe(false);
    expect(refusal({ NATS_URL: 'tls://a,nats://b' }).variables).toEqual(['NATS_URL']);
    expect(refusal({ NATS_URL: 'http://a' }).variables).toEqual(['NATS_URL']);
  });

  it('are parsed with user and password of a NATS URL, whatever these contain', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), (user, pass) => {
        const text = (part: string) => encodeURIComponent(part);
        const parsed = parseNatsUrl(`nats://${text(user)}:${text(pass)}@127.0.0.1:4333`);
        expect(parsed).toEqual({ servers: ['127.0.0.1:4333'], user, pass, tls: false });
      }),
    );
  });

  it('of several servers share the credentials of the first that has some', () => {
    expect(parseNatsUrl('a:4222, nats://u:p@b')).toEqual({
      servers: ['a:4222', 'b:4222'],
      user: 'u',
      pass: 'p',
      tls: false,
    });
  });
});

describe('a secret in a file', () => {
  const schema = baseConfig.extend({ TOMBSTONE_KEY: secret(), SESSION_SECRET_FILE: z.string().optional() });
  const folder = mkdtempSync(join(tmpdir(), 'cord-secrets-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const fileOf = (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const refusedFor = (env: Record<string, string>) => {
    try {
      loadConfig(schema, env, ['ADDRESS_HASH_KEY']);
      return [];
    } catch (err) {
      return (err as ConfigError).variables;
    }
  };

  it('is read without its line end, and counts as set', () => {
    const env = {
      ...production,
      TOMBSTONE_KEY_FILE: fileOf('tombstone', `${'t'.repeat(40)}\n`),
      ADDRESS_HASH_KEY_FILE: fileOf('address', 'a'.repeat(40)),
      NATS_URL_FILE: fileOf('nats', 'tls://auth:hunter2@nats.example\n'),
    };
    expect(loadConfig(schema, env, ['ADDRESS_HASH_KEY'])).toMatchObject({
      TOMBSTONE_KEY: 't'.repeat(40),
      ADDRESS_HASH_KEY: 'a'.repeat(40),
      NATS_URL: 'tls://auth:hunter2@nats.example',
    });
  });

  it('named like its variable in SECRETS_DIR is read too, or left to the process that reads the file itself', () => {
    const SECRETS_DIR = mkdtempSync(join(folder, 'own-'));
    const write = (name: string, text: string) => writeFileSync(join(SECRETS_DIR, name), text);
    write('TOMBSTONE_KEY', `${'t'.repeat(40)}\n`);
    write('SESSION_SECRET', 's'.repeat(40));
    write('PORT', '1');
    const read = loadConfig(schema, { ...production, SECRETS_DIR, ADDRESS_HASH_KEY: 'a'.repeat(40) });
    expect(read).toMatchObject({
      TOMBSTONE_KEY: 't'.repeat(40),
      SESSION_SECRET_FILE: join(SECRETS_DIR, 'SESSION_SECRET'),
      PORT: 0,
    });
    expect(loadConfig(schema, { SECRETS_DIR, TOMBSTONE_KEY_FILE: fileOf('other', 'o'.repeat(40)) })).toMatchObject({
      TOMBSTONE_KEY: 'o'.repeat(40),
    });
    expect(refusedFor({ SECRETS_DIR, TOMBSTONE_KEY: 't'.repeat(40) })).toEqual(['TOMBSTONE_KEY_FILE']);
    expect(refusedFor({ SECRETS_DIR: join(folder, 'nowhere') })).toContain('SECRETS_DIR');
    // What was read is read: a start hands no folder on to its processes.
    expect(withSecretFiles({ SECRETS_DIR }).given).not.toHaveProperty('SECRETS_DIR');
  });

  it.each([
    ['that is not there', { TOMBSTONE_KEY_FILE: join(folder, 'nothing') }, 'TOMBSTONE_KEY_FILE'],
    ['beside the variable', { TOMBSTONE_KEY: 't'.repeat(40), TOMBSTONE_KEY_FILE: folder }, 'TOMBSTONE_KEY_FILE'],
    ['that is empty', { TOMBSTONE_KEY_FILE: fileOf('empty', '\n') }, 'TOMBSTONE_KEY'],
    ['that is too short', { TOMBSTONE_KEY_FILE: fileOf('short', 'short') }, 'TOMBSTONE_KEY'],
  ])('%s is refused with the name of its variable', (_, env, named) => {
    expect(refusedFor(env)).toContain(named);
  });

  it('that is empty counts as absent when the variable is optional', () => {
    const own = baseConfig.extend({ SOLANA_RPC_URL: schemas.SOLANA_RPC_URL });
    expect(loadConfig(own, { SOLANA_RPC_URL_FILE: fileOf('chain', '') }).SOLANA_RPC_URL).toBeUndefined();
  });

  it('is left to a process that reads the file itself', () => {
    const SESSION_SECRET_FILE = fileOf('session', 's'.repeat(40));
    const read = loadConfig(schema, { TOMBSTONE_KEY: 't'.repeat(40), SESSION_SECRET_FILE });
    expect(read).toMatchObject({ SESSION_SECRET_FILE });
    expect(read).not.toHaveProperty('SESSION_SECRET');
  });
});
