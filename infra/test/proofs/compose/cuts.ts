import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Checks } from '../../kit/checks.ts';
import { isAlive } from '../../kit/system.ts';
import type { Deployment } from './deployment.ts';
import { serviceOf } from './podman.ts';

const run = promisify(execFile);
const SERVICES = ['mining', 'tasks', 'referrals', 'rewards', 'auth', 'leaderboard', 'notices'];
/** Ports of what a service calls. */
const PORTS = { nats: 4_222, store: 27_017, routes: 6_222 } as const;
/** How long a link is cut in each direction, ms: shorter and longer than a service waits for its store. */
const CUT_MS = { out: 1_000, in: 4_000, both: 8_000 } as const;
/** Longer than a driver may hang before its process ends. */
const LONG_MS = 60_000;
const PAUSE_MS = 4_000;
const CALM_MS = 1_000;

/** Links of a container that drop every packet, in one direction or in both. */
interface Cut {
  container: string;
  to: keyof typeof PORTS;
  direction: keyof typeof CUT_MS;
  ms: number;
}

/**
 * While people save: each link of each service to NATS and to the store is cut, in one direction and in both, each server of NATS is cut off
 * from the others, and each container stands still. Without NATS saves go on; afterwards everything is ready again.
 */
export async function cuts(deployment: Deployment, checks: Checks): Promise<void> {
  // Each time anew: one that ends without its store is started again.
  const of = async (name: string) => {
    const found = (await deployment.podman.inspect()).find((one) => serviceOf(one) === name);
    if (!found) throw new Error(`there is no container of ${name}`);
    return { name: found.Name, pid: found.State.Pid };
  };
  const directions = Object.keys(CUT_MS) as Cut['direction'][];
  const links = (container: string, to: Cut['to']) =>
    directions.map((direction) => ({ container, to, direction, ms: CUT_MS[direction] }));
  const all: Cut[] = [
    ...SERVICES.flatMap((name) => [...links(name, 'nats'), ...links(name, 'store')]),
    ...links('gateway', 'nats'),
    ...['nats-0', 'nats-1', 'nats-2'].flatMap((name) => links(name, 'routes')),
    { container: 'mining', to: 'nats', direction: 'both', ms: LONG_MS },
    { container: 'mining', to: 'store', direction: 'both', ms: LONG_MS },
  ];
  for (const one of all)
    await checks.step(`${one.container} ${one.ms / 1_000} s without ${one.to}, ${one.direction}`, async () => {
      const notSaved = async () => (await deployment.load()).not_saved ?? 0;
      const before = await notSaved();
      await cut((await of(one.container)).pid, one);
      const failed = (await notSaved()) - before;
      // What a service asks of its store fails meanwhile; a save needs no NATS.
      if (one.to !== 'store' && failed > 0) throw new Error(`${failed} saves failed`);
    });
  for (const name of [...SERVICES, 'gateway', 'nats-0', 'mongo-0'])
    await checks.step(`${name} stands still`, async () => {
      const { name: container } = await of(name);
      await deployment.podman.run('pause', container);
      await sleep(PAUSE_MS);
      await deployment.podman.run('unpause', container);
      await sleep(CALM_MS);
    });
  await checks.step('everything is ready again', () => deployment.healthy());
}

/** @throws {Error} when no packet was dropped: then nothing was cut */
async function cut(pid: number, { to, direction, ms }: Cut) {
  const port = String(PORTS[to]);
  // Servers of NATS call each other at the same port.
  const sides = to === 'routes' ? ['--dport', '--sport'] : undefined;
  const out = direction === 'in' ? [] : (sides ?? ['--dport']).map((side) => ['OUTPUT', side]);
  const into = direction === 'out' ? [] : (sides ?? ['--sport']).map((side) => ['INPUT', side]);
  const rules = [...out, ...into];
  const iptables = (...args: string[]) => run('nsenter', ['-t', String(pid), '-n', 'iptables', '-w', ...args]);
  const each = async (verb: string) => {
    for (const [chain = '', side = ''] of rules) await iptables(verb, chain, '-p', 'tcp', side, port, '-j', 'DROP');
  };
  await each('-A');
  await sleep(ms);
  // Whose process has ended meanwhile has lost its network, and the rules with it.
  if (!isAlive(pid)) return;
  const { stdout } = await iptables('-L', '-v', '-n', '-x');
  const dropped = [...stdout.matchAll(/^\s*(\d+)\s+\d+\s+DROP\b/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
  await each('-D');
  await sleep(CALM_MS);
  if (dropped === 0) throw new Error(`no packet was dropped:\n${stdout}`);
}
