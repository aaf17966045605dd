import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVICES, type ServiceName } from '@cord/contracts/endpoint';

export interface ServiceInstance {
  name: ServiceName;
  index: number;
  url: string;
}

/** Returns the running replicas of our services, from run.json. */
export async function serviceInstances(dataDir: string): Promise<ServiceInstance[]> {
  const text = await readFile(join(dataDir, 'run.json'), 'utf8').catch(() => '{}');
  const { services = {} } = JSON.parse(text) as { services?: Partial<Record<string, { url: string }[]>> };
  return SERVICES.flatMap((name) => (services[name] ?? []).map(({ url }, index) => ({ name, index, url })));
}
