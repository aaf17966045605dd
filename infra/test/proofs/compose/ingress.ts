import type { ChildProcess } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { endInOrder } from '../../../dev/starter/process-group.ts';
import { startNginx } from '../../kit/nginx.ts';
import { INGRESS } from './names.ts';

/** As in ingress-nginx. A call takes two connections, and a briefly slow gateway holds thousands; nginx's default of 512 would fail. */
const CONNECTIONS = 16_384;
const STOP_MS_MAX = 10_000;

/** nginx with TLS in front of the gateways, with the settings of the shipped ingress. */
export class Ingress {
  readonly #nginx: ChildProcess;

  private constructor(nginx: ChildProcess) {
    this.#nginx = nginx;
  }

  /** @param folder with ingress.crt and ingress.key @param gateways addresses, tried in order */
  static async open(folder: string, gateways: readonly string[]): Promise<Ingress> {
    const at = (name: string) => join(folder, name);
    await mkdir(at('nginx'), { recursive: true });
    const nginx = await startNginx(at('nginx'), {
      main: `worker_rlimit_nofile ${CONNECTIONS};`,
      events: `worker_connections ${CONNECTIONS};`,
      http: `
        upstream gateway { ${gateways.map((address) => `server ${address};`).join(' ')} }
        server {
          listen ${INGRESS}:443 ssl; server_name cord.example;
          ssl_certificate ${at('ingress.crt')}; ssl_certificate_key ${at('ingress.key')};
          location / {
            proxy_pass http://gateway; proxy_http_version 1.1; proxy_set_header Connection "";
            proxy_buffering off; proxy_read_timeout 3600;
            proxy_set_header Host $host; proxy_set_header X-Forwarded-For $remote_addr; proxy_set_header X-Forwarded-Proto https;
          }
        }`,
    });
    return new Ingress(nginx);
  }

  close(): Promise<void> {
    return endInOrder(this.#nginx, 'SIGTERM', STOP_MS_MAX);
  }
}
