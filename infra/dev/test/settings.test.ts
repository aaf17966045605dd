import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { beforeAll, describe, expect, test } from 'vitest';
import { readFlags } from '../starter/flags.mjs';
import { readSettings } from '../starter/settings.ts';

const read = (args: string[], env: Record<string, string> = {}) => readSettings(readFlags(args), env);

describe('the command line', () => {
  test('overrides the environment, which overrides the defaults', () => {
    expect(read([])).toMatchObject({ port: 8080, replicas: 1, host: '127.0.0.1', mode: 'local' });
    expect(read([], { PORT: '9000', CORD_DATA: '/tmp/a' })).toMatchObject({ port: 9000, dataDir: '/tmp/a' });
    expect(
      read(['--port', '9001', '--data=/tmp/b', '--replicas', '3'], { PORT: '9000', CORD_DATA: '/tmp/a' }),
    ).toMatchObject({ port: 9001, dataDir: '/tmp/b', replicas: 3 });
  });

  test.each([
    [['--prot', '1'], '--prot'],
    [['-x'], '-x'],
    [['--port'], '--port'],
    [['8080'], '8080'],
    [['--dev', 'mining', 'tasks'], 'tasks'],
  ])('%j is rejected by name', (args, named) => {
    expect(() => read(args)).toThrow(named);
  });

  test.each([
    [['--port', '65536'], '--port'],
    [['--port', '-1'], '--port'],
    [['--port', '80.5'], '--port'],
    [['--port', 'http'], '--port'],
    [['--replicas', '0'], '--replicas'],
    [['--replicas', '33'], '--replicas'],
    [['--data', ' '], '--data'],
  ])('%j is rejected for its value', (args, named) => {
    expect(() => read(args)).toThrow(named);
  });
});

describe('the environment', () => {
  test.each([
    ['CORD_DTA', 'x'],
    ['PORT', 'eighty'],
    ['PUBLIC_ORIGIN', 'https://cord.example/app'],
    ['PUBLIC_ORIGIN', 'cord.example'],
    ['MONGODB_URI', 'localhost:27017'],
    ['NATS_URL', 'http://localhost:4222'],
    ['NATS_REPLICAS', '2'],
    ['DISCORD_PKCE', 'yes'],
    ['SESSION_SECRET', 'short'],
    ['SOLANA_RPC_URL', 'devnet'],
    ['BADGE_PRICE_LAMPORTS', '0'],
    ['ADMIN_DISCORD_IDS', 'ada'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', 'proxy.local'],
    ['RATE_LIMIT_SCALE', '-1'],
    ['COMPENSATION', 'maybe'],
    ['COMPENSATION_UNTIL', 'soon'],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s fails the start by name', (name, value) => {
    expect(() => read([], { [name]: value })).toThrow(name);
  });

  test('reports variables that look like ours but that no start reads, without failing it', () => {
    const env = { DISCORD_CLIENT_SECERT: 'x', UPSTREAMS_FILE: '/tmp/a', EDITOR: 'vi' };
    expect(read([], env).unread).toEqual(['DISCORD_CLIENT_SECERT', 'UPSTREAMS_FILE']);
  });

  test('needs SOLANA_TREASURY with SOLANA_RPC_URL', () => {
    expect(() => read([], { SOLANA_RPC_URL: 'https://rpc.example' })).toThrow('SOLANA_TREASURY');
  });

  test('needs SOLANA_RPC_URL with SOLANA_TREASURY outside local mode', () => {
    const env = { DISCORD_CLIENT_ID: '1', DISCORD_CLIENT_SECRET: 'x', SOLANA_TREASURY: '1'.repeat(32) };
    expect(() => read([], env)).toThrow('SOLANA_RPC_URL is missing');
    expect(read([], { SOLANA_TREASURY: '1'.repeat(32) }).local).toBe(true);
  });

  test('accepts a list of proxies and foreign variables', () => {
    expect(read([], { TRUSTED_PROXIES: '10.0.0.0/8, ::1', EDITOR: 'vi' }).local).toBe(true);
  });
});

describe('production', () => {
  const key = 'k'.repeat(32);
  const whole = {
    NODE_ENV: 'production',
    DISCORD_CLIENT_ID: '1',
    DISCORD_CLIENT_SECRET: 's',
    SESSION_SECRET: key,
    KEY_ENCRYPTION_KEY: key,
    ADDRESS_HASH_KEY: key,
    LEDGER_LOG_KEY: key,
    TOMBSTONE_KEY: key,
    GATEWAY_KEY: key,
    PUBLIC_ORIGIN: 'https://cord.example',
  };

  test('is not local mode', () => {
    expect(read([], whole)).toMatchObject({ local: false, mode: 'production' });
  });

  test('reports every missing or invalid variable at once', () => {
    const bad = {
      NATS_URL: 'tls://nats.internal:4222,nats://10.0.0.4:4222',
      NATS_RIGHTS_URL: 'nats://nats.internal:4222',
      MONGODB_URI: 'mongodb://u:p@mongo.internal:27017/?replicaSet=cord',
      RATE_LIMIT_SCALE: '0',
      PORT: 'x',
    };
    const refusal = () => read([], { NODE_ENV: 'production', ...bad });
    for (const name of [...Object.keys(whole).filter((each) => each !== 'NODE_ENV'), ...Object.keys(bad)])
      expect(refusal).toThrow(name);
    expect(() => read([], { ...whole, PUBLIC_ORIGIN: 'http://cord.example' })).toThrow('PUBLIC_ORIGIN');
  });

  test('rejects clear text off loopback and disabled rate limits with a Discord application in any mode', () => {
    const staging = { DISCORD_CLIENT_ID: '1', DISCORD_CLIENT_SECRET: 's' };
    const bad = { NATS_URL: 'nats://10.0.0.4', MONGODB_URI: 'mongodb://10.0.0.4', RATE_LIMIT_SCALE: '0' };
    for (const name of Object.keys(bad)) {
      const given = { [name]: bad[name as keyof typeof bad] };
      expect(() => read([], { ...staging, ...given })).toThrow(name);
      expect(read([], given).local).toBe(true);
    }
  });

  test('listens on all interfaces, which local mode rejects', () => {
    expect(read([], whole).host).toBe('0.0.0.0');
    expect(() => read([], { HOST: '0.0.0.0' })).toThrow('HOST');
  });

  test('leaves local mode with a Discord application alone, too', () => {
    expect(read([], { DISCORD_CLIENT_ID: '1', DISCORD_CLIENT_SECRET: 's' }).local).toBe(false);
  });
});

describe('a secret in a file', () => {
  const place = forAllTests(scratch);
  let file: string;
  beforeAll(async () => {
    file = join(place.folder, 'secret');
    await writeFile(file, `${'s'.repeat(40)}\n`);
  });

  test('is read from the file; the file of a key that auth rotates is passed on', () => {
    const { env } = read([], { TOMBSTONE_KEY_FILE: file, SESSION_SECRET_FILE: file });
    expect(env).toMatchObject({ TOMBSTONE_KEY: 's'.repeat(40), SESSION_SECRET_FILE: file });
    expect(env).not.toHaveProperty('SESSION_SECRET');
  });
});
