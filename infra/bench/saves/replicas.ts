import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../dev/starter/ports.ts';
import { type Processes, startService } from '../../test/kit/processes.ts';
import { counting, sentBy } from '../shared/commands.ts';
import { startGateway } from '../shared/gateway.ts';
import type { User } from '../shared/users.ts';
import { type Length, openNodes, type Save, type Server, window } from './miners.ts';

/*
 * npm run bench -- saves -- --replicas N: saves through two gateways and N replicas of mining, and the number of store
 * commands that they cause. Prints all commands too, with those of relay and sweeps, which depend on time. With two or
 * more replicas, repeats it while one is killed and restarted. The commands of saves do not depend on the machine's
 * speed; those of a killed replica's last 50 ms are missing.
 */

const WARM_UP = 2_000;
/** Longer than a replica takes to restart and the gateways to find it. */
const AROUND_KILL_S = 10;
const KILLED_AFTER_MS = 2_000;

/** The dependencies of this benchmark's services. */
export interface System {
  store: { uri: string };
  natsUrl: string;
  users: User[];
}

export async function countOperations(
  own: Processes,
  { store, natsUrl, users }: System,
  { replicas: count, seconds }: { replicas: number; seconds: number },
): Promise<void> {
  if (!(Number.isInteger(count) && count >= 1 && count <= 32))
    throw new Error('--replicas must be a number from 1 to 32');
  const folder = join(own.folder, 'commands');
  await mkdir(folder);
  const { monitoredUri } = await import('@cord/kit/testing/command-monitor');
  const mongodbUri = monitoredUri(store.uri);
  const start = (replica: number, port: number) =>
    startService(own, {
      ...{ file: 'services/mining/dist/main.js', mongodbUri, natsUrl, port },
      flags: counting(folder),
      env: { CORD_REPLICA: String(replica) },
    });
  const ports = await freePorts(count);
  const replicas = await Promise.all(ports.map((port, replica) => start(replica, port)));
  const upstreams = { mining: replicas.map(({ url }) => url) };
  const first = await startGateway(own, upstreams, natsUrl);
  const gateways = [first, await startGateway(own, upstreams, natsUrl)];
  // Opened through a gateway, so that each node starts on the replica that gets its saves.
  const saves = await openNodes(
    natsUrl,
    users.map(({ id, session }) => ({ id, token: session })),
    first.url,
  );

  const measured = async (length: Length, whileOneDies?: () => Promise<unknown>) => {
    const before = await sentBy(folder);
    const both = gateways.map((gateway) =>
      window(gateway, addressedTo(gateway, saves), length, whileOneDies !== undefined),
    );
    const [seen] = await Promise.all([Promise.all(both), whileOneDies?.()]);
    const total = seen.reduce((sum, { total }) => sum + total, 0);
    const failed = seen.reduce((sum, one) => sum + one.failed, 0);
    const after = await sentBy(folder);
    return { total, failed, perSave: (after.steps - before.steps) / total, inAll: (after.all - before.all) / total };
  };
  await measured({ amount: WARM_UP });
  const usual = await measured({ duration: 2 * seconds });
  console.log(`${count} replicas, ${gateways.length} gateways: ${usual.total} saves`);
  console.log(`RESULT replicas=${count}`);
  console.log(`RESULT store_ops_per_save=${usual.perSave.toFixed(3)}`);
  console.log(`RESULT store_ops_in_all_per_save=${usual.inAll.toFixed(3)}`);
  if (count < 2) return;
  const death = await measured({ duration: AROUND_KILL_S }, async () => {
    await sleep(KILLED_AFTER_MS);
    const [victim, port] = [replicas[0]?.child, ports[0]];
    if (!victim || port === undefined) throw new Error('no replica has started');
    const exited = once(victim, 'exit');
    victim.kill('SIGKILL');
    await exited;
    await start(0, port);
  });
  console.log(`one killed and restarted: ${death.total} saves, ${death.failed} calls failed and needed a retry`);
  console.log(`RESULT store_ops_per_save_with_a_death=${death.perSave.toFixed(3)}`);
}

/** Sets the Host header: autocannon's own lacks the port, and the gateway requires its exact name. */
function addressedTo({ url }: Server, requests: Save[]) {
  return requests.map((one) => ({ ...one, headers: { ...one.headers, host: new URL(url).host } }));
}
