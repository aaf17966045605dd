import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { MANIFESTS } from '@cord/contracts/manifests/index';
import { baseConfig, parseNatsUrl } from '@cord/kit/config';
import { goesInClear } from '@cord/kit/in-clear';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Any, text, yaml } from './files.js';

describe('what is made from the manifests', () => {
  test('lies there as made from them: npx cord manifests', async () => {
    const { madeFiles } = await import('../made/manifests.js');
    const made = await madeFiles();
    for (const [path, content] of made) expect(text(path), path).toBe(content);
  });

  test('in compose a service reaches outside where its manifest allows it', () => {
    const { services } = yaml('compose/compose.yaml')[0];
    for (const [name, { outside = [] }] of Object.entries<{ outside?: readonly string[] }>(MANIFESTS))
      expect(services[name].networks.includes('outside'), name).toBe(outside.length > 0);
  });
});

/** Whether a process that trusts the authority takes this server for this host. */
function isServerOf(folder: string, host: string): Promise<boolean> {
  const at = (name: string) => readFileSync(join(folder, name));
  const server = createServer({ cert: at('tls.crt'), key: at('tls.key') }, (socket) => socket.end());
  return new Promise((resolve, reject) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      const client = connect({ port, host: '127.0.0.1', servername: host, ca: at('ca.crt') }, () => done(true));
      client.on('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? done(false) : reject(error),
      );
      const done = (isOne: boolean): void => {
        client.destroy();
        server.close();
        resolve(isOne);
      };
    });
  });
}

describe('the secrets of a deployment', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cord-secrets-'));
  let first: { made: string[]; empty: string[] };
  let again: { made: string[]; empty: string[] };
  beforeAll(async () => {
    const { makeSecrets } = await import('../secrets.js');
    first = await makeSecrets(folder);
    again = await makeSecrets(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('are made once, and what others give is named', () => {
    expect(again.made).toEqual([]);
    expect(first.empty).toEqual(['auth/DISCORD_CLIENT_SECRET', 'mining/SOLANA_RPC_URL', 'rewards/SOLANA_RPC_URL']);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test('are all that compose mounts', () => {
    const mounted = ['compose', 'stores'].flatMap((name) =>
      Object.values<Any>(yaml(`compose/${name}.yaml`)[0].secrets),
    );
    for (const { file } of mounted) expect(existsSync(join(folder, file.replace('./secrets/', ''))), file).toBe(true);
  });

  test("prove each server's name, and no other's: NATS, MongoDB", async () => {
    const ours = { nats: ['nats-0.nats', 'nats-2.nats'], mongo: ['mongo-0', 'mongo-2', 'localhost'] };
    for (const [who, hosts] of Object.entries(ours))
      for (const host of hosts) expect(await isServerOf(join(folder, who), host), host).toBe(true);
    expect(await isServerOf(join(folder, 'mongo'), 'nats-0.nats')).toBe(false);
    expect(await isServerOf(join(folder, 'nats'), 'mongo-0')).toBe(false);
    const both = readFileSync(join(folder, 'mongo/tls.pem'), 'utf8');
    expect(both).toMatch(
      /^-----BEGIN CERTIFICATE-----[\s\S]*-----BEGIN PRIVATE KEY-----[\s\S]*-----END PRIVATE KEY-----\s*$/,
    );
  });

  test('lead to NATS and MongoDB by TLS, each service as itself', () => {
    for (const name of Object.keys(MANIFESTS)) {
      const url = baseConfig.shape.NATS_URL.parse(readFileSync(join(folder, name, 'NATS_URL'), 'utf8'));
      expect(parseNatsUrl(url)).toMatchObject({
        ...{ user: name, tls: true, servers: ['nats-0.nats:4222', 'nats-1.nats:4222', 'nats-2.nats:4222'] },
      });
    }
    for (const name of [...Object.keys(MANIFESTS), 'jobs']) {
      const uri = baseConfig.shape.MONGODB_URI.parse(readFileSync(join(folder, name, 'MONGODB_URI'), 'utf8'));
      expect(new URL(uri.replace(/,[^/]*/, '')).username).toBe(name);
      expect(goesInClear(uri), name).toBe(false);
    }
  });
});
