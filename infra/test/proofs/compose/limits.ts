import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../../dev/starter/paths.mjs';
import type { Checks } from '../../kit/checks.ts';
import type { Deployment } from './deployment.ts';
import { type Inspected, serviceOf } from './podman.ts';

const MIB = 1024 ** 2;
/** A program that ends when the program in the container is ready. */
const READY = `(async () => { for (;;) { if (await fetch(process.argv[1]).then((a) => a.ok, () => false)) break; await new Promise((done) => setTimeout(done, 50)); } })()`;

/** A service in compose.yaml. */
interface Service {
  mem_limit?: string;
  stop_grace_period?: string;
  restart?: string;
  profiles?: string[];
  healthcheck?: { test?: string | string[]; start_period?: string; disable?: boolean };
}

/** Returns every long-running service of compose.yaml and stores.yaml. */
async function shipped(): Promise<Record<string, Service>> {
  const files = await Promise.all(
    ['stores.yaml', 'compose.yaml'].map((name) => readFile(join(ROOT, 'infra/production/compose', name), 'utf8')),
  );
  return Object.assign({}, ...files.map((text) => parse(text, { merge: true }).services));
}

/** Checks that each container has the user, root, rights and memory of the files. */
export async function limits(deployment: Deployment, checks: Checks): Promise<void> {
  const services = await shipped();
  const found = (await deployment.podman.inspect()).filter((one) => serviceOf(one) in services);
  const wrong = found.flatMap((one) => {
    const service = serviceOf(one);
    const { mem_limit: memory } = services[service] as Service;
    const expected = memory === undefined ? 0 : Number.parseInt(memory, 10) * (memory.endsWith('g') ? 1024 : 1) * MIB;
    return [
      [one.HostConfig.ReadonlyRootfs, 'writes to its root'],
      [(one.EffectiveCaps ?? []).length === 0, `has ${one.EffectiveCaps}`],
      [one.HostConfig.SecurityOpt.some((option) => option.startsWith('no-new-privileges')), 'may get privileges'],
      [one.HostConfig.Memory === expected, `has ${one.HostConfig.Memory} bytes of memory, not ${expected}`],
      [service.startsWith('nats') || !['', '0', 'root'].includes(one.Config.User.split(':')[0] ?? ''), 'is root'],
    ].flatMap(([holds, text]) => (holds ? [] : [`${service} ${text}`]));
  });
  const names = Object.entries(services).filter(([, { profiles }]) => !profiles);
  if (found.length !== names.length) wrong.push(`${found.length} containers of ${names.length}`);
  checks.add('each container has the user, read-only root, no capabilities and the memory limit of its file', wrong);
}

/** Whether it is a container of our image, with a readiness check. */
const isOurs = (service?: Service) =>
  service?.healthcheck?.test?.includes('/cord/infra/production/images/ready.mjs') ?? false;

/**
 * Stops everything at once, so that services lose their stores and the names of these, and starts it again. Each must
 * end within its grace period and be ready within its `start_period`. Then restarts each alone, as in a rolling update.
 */
export async function restart(deployment: Deployment, checks: Checks): Promise<void> {
  const services = await shipped();
  const running = await deployment.podman.inspect();
  const before = running.filter(({ State }) => State.Status === 'running').map(({ Name }) => Name);
  await deployment.compose('stop');
  const ended = (await deployment.podman.inspect()).filter(({ Name }) => before.includes(Name));
  checks.add(
    'each container stops within its grace period',
    // nats-server exits with 1 on a signal; 137 is a kill.
    ended
      .filter((one) => one.State.ExitCode !== (serviceOf(one).startsWith('nats') ? 1 : 0))
      .map((one) => `${serviceOf(one)} exited with ${one.State.ExitCode}`),
  );
  const ours = ended.filter((one) => isOurs(services[serviceOf(one)]));
  const late: string[] = [];
  const start = async (one: Inspected, how: string) => {
    const name = serviceOf(one);
    const { test = [], start_period: period = '0s' } = services[name]?.healthcheck ?? {};
    const ms = await readyMs(deployment, one.Name, test.at(-1) ?? '');
    console.log(`RESULT start_${how}_ms_${name}=${ms}`);
    if (ms > Number.parseInt(period, 10) * 1_000) late.push(`${name} took ${ms} ms`);
  };
  const starting = deployment.compose('up -d');
  await Promise.all(ours.map((one) => start(one, 'together')));
  await starting;
  await deployment.healthy();
  for (const one of ours) {
    await deployment.podman.run('stop', '--time', '25', one.Name);
    await deployment.podman.run('start', one.Name);
    await start(one, 'alone');
  }
  checks.add('each service is ready before its start_period ends', late);
  await deployment.healthy();
}

/** Prints the memory use of each container of the image, MiB; none may have been killed for it or restarted. */
export async function memory(deployment: Deployment, checks: Checks): Promise<void> {
  const services = await shipped();
  const ours = (await deployment.podman.inspect()).filter((one) => isOurs(services[serviceOf(one)]));
  for (const one of ours) {
    const used = await deployment.podman.run('stats', '--no-stream', '--format', '{{.MemUsage}}', one.Name);
    console.log(`RESULT memory_${serviceOf(one)}=${used}`);
  }
  checks.add(
    'no container was killed for its memory or restarted',
    ours
      .filter(({ State, RestartCount }) => State.OOMKilled || RestartCount > 0)
      .map((one) => `${serviceOf(one)} was restarted ${one.RestartCount} times`),
  );
}

/** Measures the time from a container's start until it is ready, ms. */
async function readyMs(deployment: Deployment, name: string, url: string): Promise<number> {
  const at = async () => (await deployment.podman.inspect()).find((one) => one.Name === name);
  let container = await at();
  while (container?.State.Status !== 'running') {
    await new Promise((done) => setTimeout(done, 500));
    container = await at();
  }
  await deployment.podman.run('exec', name, 'node', '-e', READY, url);
  return Date.now() - Date.parse(container.State.StartedAt);
}
