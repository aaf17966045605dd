import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { ROOT } from '../../../dev/starter/paths.mjs';
import { SERVICES } from '../../../dev/starter/services.ts';

/** Addresses of the gateways on this machine. */
export const GATEWAYS = ['127.0.0.1:8080', '127.0.0.1:8081'];

interface Service {
  environment: Record<string, string>;
  depends_on?: Record<string, object>;
}

/** Name of the second replica of a service or of the gateway. */
export const secondOf = (name: string): string => `${name}-b`;

/** Writes a compose file that adds a second replica of each service and of the gateway, and gives the gateways both of each. */
export async function writeTwofold(file: string): Promise<void> {
  const text = await readFile(join(ROOT, 'infra/production/compose/compose.yaml'), 'utf8');
  const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };
  const of = (name: string) => {
    const found = services[name];
    if (!found) throw new Error(`compose.yaml has no ${name}`);
    return found;
  };
  const seconds = SERVICES.map((name) => [
    secondOf(name),
    { ...of(name), environment: { ...of(name).environment, CORD_REPLICA: '1' } },
  ]);
  const both = (name: string) => [name, secondOf(name)].map((host) => `http://${host}:8080`);
  const UPSTREAMS = JSON.stringify(Object.fromEntries(SERVICES.map((name) => [name, both(name)])));
  const environment = { ...of('gateway').environment, UPSTREAMS };
  const second = { ...of('gateway'), environment, ports: [`${GATEWAYS[1]}:8080`] };
  await writeFile(
    file,
    stringify({
      version: '2.4',
      services: {
        ...Object.fromEntries(seconds),
        gateway: { environment: { UPSTREAMS } },
        [secondOf('gateway')]: second,
      },
    }),
  );
}
