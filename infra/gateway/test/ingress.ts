import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestRaw } from '@cord/kit/testing/hostile-targets';
import { freePort } from '@cord/kit/testing/process';
import { SERVER_PATH, startNginx } from '../../test/kit/nginx.ts';

const POLL_MS = 50;

export const hasNginx = ['nginx', 'openssl'].every(
  (program) => spawnSync('which', [program], { stdio: 'ignore', env: { PATH: SERVER_PATH } }).status === 0,
);

/**
 * Starts nginx with TLS before a gateway, in both modes of an ingress: one passes the request target unchanged, the
 * other normalises it.
 * @param port of the gateway
 */
export async function ingress(port: number) {
  const folder = await mkdtemp(join(tmpdir(), 'cord-ingress-'));
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'key.pem'];
  const made = ['req', '-x509', ...key, '-out', 'cert.pem', '-days', '1', '-subj', '/CN=localhost'];
  const openssl = spawnSync('openssl', made, { cwd: folder });
  if (openssl.status !== 0) throw new Error(String(openssl.stderr));
  const [asItCame, asRead] = [await freePort(), await freePort()];
  const server = (own: number, target: string) => `
    server {
      listen 127.0.0.1:${own} ssl;
      ssl_certificate ${folder}/cert.pem;
      ssl_certificate_key ${folder}/key.pem;
      location / {
        proxy_pass http://127.0.0.1:${port}${target};
        proxy_http_version 1.1;
        proxy_set_header Host localhost:${port};
        proxy_set_header X-Forwarded-For $remote_addr;
      }
    }`;
  const nginx = await startNginx(folder, { http: `${server(asItCame, '')} ${server(asRead, '/')}` });
  const urls = [asItCame, asRead].map((own) => `https://127.0.0.1:${own}`);
  while ((await requestRaw(urls[1] ?? '', '/')).status === 0) {
    if (nginx.exitCode !== null || nginx.signalCode !== null) throw new Error('nginx exited before it was ready');
    await sleep(POLL_MS);
  }
  return {
    urls,
    close: async () => {
      const ended = once(nginx, 'exit');
      nginx.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
