import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A self-signed certificate for `localhost`. */
export type TestCertificate = Awaited<ReturnType<typeof testCertificate>>;

/** Creates one with openssl. @throws Error when that fails */
export async function testCertificate() {
  const folder = await mkdtemp(join(tmpdir(), 'cord-tls-'));
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const options = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const named = ['-subj', '/CN=test', '-addext', 'subjectAltName=DNS:localhost'];
  const made = spawnSync('openssl', ['req', '-x509', ...options, ...named, '-keyout', keyFile, '-out', certFile]);
  if (made.status !== 0) throw new Error(`openssl made no certificate: ${made.stderr}`);
  return {
    certFile,
    keyFile,
    /** Deletes the files. */
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
