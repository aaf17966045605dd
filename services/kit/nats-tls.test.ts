import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from './log.js';
import { connectNats } from './nats.js';
import { type TestCertificate, testCertificate } from './testing/certificate.js';
import { type NatsServer, startNatsServer } from './testing/index.js';
import { isOnPath, workspaceRoot } from './testing/process.js';

const closing: Array<() => Promise<unknown>> = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

/** Tries to connect until `isEnough` of what was logged. @returns every line */
async function tried(NATS_URL: string, isEnough: (line: string) => boolean): Promise<string[]> {
  const lines: string[] = [];
  const stop = new AbortController();
  const write = (line: string) => {
    lines.push(line);
    if (isEnough(line)) stop.abort();
  };
  await connectNats({ NATS_URL }, 'tasks', createLogger('tls', 'warn', { write }), stop.signal).then(
    (nats) => nats.drain().then(() => lines.push('connected')),
    () => undefined,
  );
  return lines;
}
const at = (server: NatsServer): string => server.url.replace('nats://127.0.0.1', 'tls://tasks:hunter2@localhost');

describe('a tls:// address', () => {
  it('never connects to a server without TLS, and sends it no password', async () => {
    const received: string[] = [];
    const listening = createServer((socket) => {
      socket.on('data', (data) => void received.push(String(data)));
      socket.on('error', () => undefined);
      socket.write('INFO {"server_id":"x","version":"2.9.10","proto":1,"headers":true,"max_payload":1048576}\r\n');
    });
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => listening.close(resolve)));
    const { port } = listening.address() as { port: number };
    const lines = await tried(`tls://tasks:hunter2@127.0.0.1:${port}`, () => true);
    expect(lines.join()).toMatch(/does not support 'tls'/);
    expect(received.join()).not.toContain('hunter2');

    const plain = await startNatsServer();
    closing.push(plain.stop);
    const refused = await tried(at(plain), () => true);
    expect(refused).not.toContain('connected');
    expect(refused.join()).toMatch(/does not support 'tls'/);
  });
});

describe.skipIf(!isOnPath('openssl'))('a server with TLS', () => {
  let certificate: TestCertificate;
  let server: NatsServer;
  beforeAll(async () => {
    certificate = await testCertificate();
    closing.push(certificate.remove);
    const tls = { cert_file: certificate.certFile, key_file: certificate.keyFile };
    server = await startNatsServer({ config: JSON.stringify({ tls }) });
    closing.push(server.stop);
  });

  it('is refused while no authority vouches for its certificate', async () => {
    const lines = await tried(at(server), () => true);
    expect(lines).not.toContain('connected');
    expect(lines.join()).toMatch(/certificate/i);
  });

  it('is connected over TLS when its CA is known, and its certificate is checked', () => {
    const script = `
      const { connectNats } = await import('@cord/kit/nats');
      const { createLogger } = await import('@cord/kit/log');
      const tls = { checkServerIdentity: (host, { valid_to }) => console.log(host, Date.parse(valid_to)) };
      const nats = await connectNats({ NATS_URL: process.argv[1] }, 'tasks', createLogger('tls', 'warn'), AbortSignal.timeout(20_000), tls);
      console.log('tls', nats.nc.info.tls_required);
      await nats.drain();`;
    const args = ['--input-type=module', '-e', script, at(server)];
    const env = { ...process.env, NODE_OPTIONS: '', NODE_EXTRA_CA_CERTS: certificate.certFile };
    const child = spawnSync(process.execPath, args, { cwd: join(workspaceRoot(), 'services/kit'), env });
    expect(String(child.stdout)).toMatch(/^localhost \d+\ntls true/);
  });
});
