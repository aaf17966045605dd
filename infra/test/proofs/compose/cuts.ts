import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SERVICES } from '../../../dev/starter/services.ts';
import type { Checks } from '../../kit/checks.ts';
import { isAlive } from '../../kit/system.ts';
import { until } from '../../kit/until.ts';
import type { Deployment } from './deployment.ts';
import { type Inspected, serviceOf } from './podman.ts';
import { secondOf } from './twofold.ts';

const run = promisify(execFile);
/** Destination ports of a container's calls; 8081 is for the gateway's probes. */
const PORTS = { nats: '4222', store: '27017', routes: '6222', calls: '8080,8081' } as const;
/** Length of a cut in each direction, ms: shorter and longer than a service waits for its store. */
const CUT_MS = { out: 1_000, in: 4_000, both: 8_000 } as const;
/** Length of a cut on links with only occasional pings, ms: gateways to NATS, and the rankings' store. */
const QUIET_CUT_MS = 4_000;
/** Longer than a driver may hang before its process ends. */
const LONG_MS = 60_000;
const PAUSE_MS = 4_000;
const FREEZE_MS_MAX = 20_000;
const CALM_MS = 1_000;

/** Links of a container that drop every packet, in one direction or both. */
interface Cut {
  container: string;
  to: keyof typeof PORTS;
  /** The one container at the other end; all of them by default. */
  only?: string;
  direction: keyof typeof CUT_MS;
  ms: number;
}

/**
 * Cuts the links of a deployment with two replicas of each under load: each replica to NATS and to the store, in one
 * direction and in both; the gateway to each service; each NATS server to the others. Then pauses each container. Saves
 * continue without NATS, and everything is ready again at the end.
 * @param only selects steps by name
 */
export async function cuts(deployment: Deployment, checks: Checks, only = /./): Promise<void> {
  // Inspected each time: a container that ends without its store is restarted.
  const of = async (name: string) => {
    const found = (await deployment.podman.inspect()).find((one) => serviceOf(one) === name);
    if (!found) throw new Error(`there is no container of ${name}`);
    return found;
  };
  const both = (name: string) => [name, secondOf(name)];
  const replicas = SERVICES.flatMap(both);
  const directions = Object.keys(CUT_MS) as Cut['direction'][];
  const links = (container: string, to: Cut['to'], only?: string): Cut[] =>
    directions.map((direction) => ({ container, to, direction, ms: CUT_MS[direction], ...(only && { only }) }));
  const quiet = (one: Cut) => ({ ...one, ms: Math.max(one.ms, QUIET_CUT_MS) });
  const all: Cut[] = [
    ...replicas.flatMap((name) => {
      const toStore = links(name, 'store');
      return [...links(name, 'nats'), ...(both('leaderboard').includes(name) ? toStore.map(quiet) : toStore)];
    }),
    ...both('gateway').flatMap((name) => links(name, 'nats').map(quiet)),
    ...SERVICES.flatMap((name) => links('gateway', 'calls', name)),
    ...['nats-0', 'nats-1', 'nats-2'].flatMap((name) => links(name, 'routes')),
    { container: 'mining', to: 'nats', direction: 'both', ms: LONG_MS },
    { container: 'mining', to: 'store', direction: 'both', ms: LONG_MS },
  ];
  const step = async (title: string, work: () => Promise<void>) => {
    if (only.test(title)) await checks.step(title, work);
  };
  for (const one of all)
    await step(`${one.container} ${one.ms / 1_000} s without ${one.only ?? one.to}, ${one.direction}`, async () => {
      const savesMadeAgain = async () => (await deployment.load()).saves_made_again ?? 0;
      const before = await savesMadeAgain();
      const { State } = await of(one.container);
      await cut(State.Pid, one, one.only === undefined ? [] : addressesOf(await of(one.only)));
      const failed = (await savesMadeAgain()) - before;
      // Calls that need the store fail meanwhile; a save does not need NATS.
      if (['nats', 'routes'].includes(one.to) && failed > 0) throw new Error(`${failed} saves failed`);
    });
  const stills = [...replicas, ...both('gateway'), 'nats-0', 'mongo-0'].map((name) => [name, PAUSE_MS] as const);
  for (const [name, ms] of [...stills, ['mining', LONG_MS], ['nats-0', LONG_MS]] as const)
    await step(`${name} is paused for ${ms / 1_000} s`, async () => {
      const { Name } = await of(name);
      // On a busy machine the kernel freezes a container only at the second attempt.
      await until(
        `${name} is frozen`,
        () =>
          deployment.podman.run('pause', Name).then(
            () => true,
            () => false,
          ),
        FREEZE_MS_MAX,
      );
      await sleep(ms);
      await deployment.podman.run('unpause', Name);
      await sleep(CALM_MS);
    });
  await checks.step('everything is ready again', () => deployment.healthy());
}

/** Addresses of a container in all its networks. */
const addressesOf = ({ NetworkSettings }: Inspected) =>
  Object.values(NetworkSettings.Networks).map(({ IPAddress }) => IPAddress);

/**
 * @param addresses of the one container at the other end
 * @throws {Error} when no packet was dropped, so that nothing was cut
 */
async function cut(pid: number, { to, direction, ms }: Cut, addresses: readonly string[]) {
  // NATS servers call each other on the same port, so both port sides match.
  const rules = (chain: string, end: string, side: string) =>
    (to === 'routes' ? ['--dports', '--sports'] : [side]).flatMap((ports) =>
      (addresses.length === 0 ? [[]] : addresses.map((address) => [end, address])).map((only) => [
        chain,
        ...only,
        '-p',
        'tcp',
        '-m',
        'multiport',
        ports,
        PORTS[to],
        '-j',
        'DROP',
      ]),
    );
  const all = [
    ...(direction === 'in' ? [] : rules('OUTPUT', '-d', '--dports')),
    ...(direction === 'out' ? [] : rules('INPUT', '-s', '--sports')),
  ];
  const iptables = (...args: string[]) => run('nsenter', ['-t', String(pid), '-n', 'iptables', '-w', ...args]);
  const each = async (verb: string) => {
    for (const rule of all) await iptables(verb, ...rule);
  };
  await each('-A');
  await sleep(ms);
  // A container that has ended has lost its network, and the rules with it.
  if (!isAlive(pid)) return;
  const { stdout } = await iptables('-L', '-v', '-n', '-x');
  const dropped = [...stdout.matchAll(/^\s*(\d+)\s+\d+\s+DROP\b/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
  await each('-D');
  await sleep(CALM_MS);
  if (dropped === 0) throw new Error(`no packet was dropped:\n${stdout}`);
}
