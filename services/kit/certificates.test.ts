import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect as connectTls, createServer } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCertificates } from './certificates.js';
import { createMetrics } from './metrics.js';
import { testCertificate } from './testing/certificate.js';
import { isOnPath } from './testing/process.js';

const HOUR_S = 3_600;

describe.skipIf(!isOnPath('openssl'))('the certificate of a server', () => {
  it('exports its remaining lifetime after a connection, and must match the requested name', async () => {
    const { certFile, keyFile, remove } = await testCertificate();
    onTestFinished(remove);
    const [cert, key] = [certFile, keyFile].map((file) => readFileSync(file));
    const server = createServer({ cert, key }, (socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const metrics = createMetrics('tasks', { processFigures: false });
    const certificates = createCertificates(metrics);
    const shown = async () =>
      (await metrics.registry.metrics()).match(/^cord_certificate_left_seconds\{from="store".*\} (\d+)/m)?.[1];
    const connect = (servername: string) =>
      new Promise<string>((resolve) => {
        const socket = connectTls({ port, ca: cert, servername, ...certificates.of('store') });
        socket.on('secureConnect', () => resolve('connected'));
        socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code)));
      });

    expect(await shown()).toBeUndefined();
    expect(await connect('elsewhere.example')).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(await connect('localhost')).toBe('connected');
    expect(Number(await shown())).toBeGreaterThan(47 * HOUR_S);
    expect(Number(await shown())).toBeLessThanOrEqual(48 * HOUR_S);
  });
});
