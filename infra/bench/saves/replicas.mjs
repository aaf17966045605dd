import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../../dev/starter/paths.mjs';
import { freePorts } from '../../dev/starter/ports.ts';
import { answersOk } from '../../dev/starter/probes.ts';
import { startService } from '../../test/kit/processes.ts';
import { openNodes, window } from './miners.mjs';

/*
 * npm run bench -- saves -- --replicas N: saves through two gateways over N replicas of mining, and how many commands the
 * replicas send to their store for them; beside it all commands, the relay's and the sweeps' too, which come by the clock. Then, with two replicas or more, the
 * same while one is killed and comes back. What is counted for saves does not
 * depend on the speed of the machine; what a killed replica sent in its last 50 ms is missed.
 */

const GATEWAYS = 2;
const WARM_UP = 2_000;
/** Longer than a replica takes to come back and to be found by the gateways. */
const WITH_A_DEATH_S = 10;
const KILLED_AFTER_MS = 2_000;
const COUNTED_LATEST_MS = 300;

export async function countOperations(own, { store, natsUrl, users }, { replicas: count, seconds }) {
  if (!(Number.isInteger(count) && count >= 1 && count <= 32))
    throw new Error('--replicas must be a number of 1 to 32');
  const folder = join(own.folder, 'commands');
  await mkdir(folder);
  const mongodbUri = `${store.uri}${store.uri.includes('?') ? '&' : '/?'}monitorCommands=true`;
  let started = 0;
  const start = (replica, port) =>
    startService(own, {
      ...{ file: 'services/mining/dist/main.js', mongodbUri, natsUrl, port },
      flags: ['--import', join(ROOT, 'infra/bench/saves/count-commands.mjs')],
      env: { CORD_REPLICA: String(replica), COMMANDS_FILE: join(folder, String(started++)) },
    });
  const ports = await freePorts(count);
  const replicas = await Promise.all(ports.map((port, replica) => start(replica, port)));
  const upstreams = { mining: replicas.map(({ url }) => url) };
  const gateways = [];
  for (let n = 0; n < GATEWAYS; n += 1) gateways.push(await startGateway(own, upstreams));
  // Opened through a gateway, so that each node begins where its saves will come.
  const saves = await openNodes(natsUrl, users, gateways[0].url);

  const measured = async (length, beside = async () => undefined) => {
    const before = await commands(folder);
    const both = gateways.map((gateway) => window(gateway, addressedTo(gateway, saves), length));
    const [seen] = await Promise.all([Promise.all(both), beside()]);
    const total = seen.reduce((sum, { total }) => sum + total, 0);
    const failed = seen.reduce((sum, one) => sum + one.failed, 0);
    const after = await commands(folder);
    return { total, failed, perSave: (after.steps - before.steps) / total, inAll: (after.all - before.all) / total };
  };
  await measured({ amount: WARM_UP });
  const usual = await measured({ duration: 2 * seconds });
  console.log(`${count} replicas, ${GATEWAYS} gateways: ${usual.total} saves`);
  console.log(`RESULT replicas=${count}`);
  console.log(`RESULT store_ops_per_save=${usual.perSave.toFixed(3)}`);
  console.log(`RESULT store_ops_in_all_per_save=${usual.inAll.toFixed(3)}`);
  if (count < 2) return;
  const death = await measured({ duration: WITH_A_DEATH_S, mayFail: true }, async () => {
    await sleep(KILLED_AFTER_MS);
    const [first] = replicas;
    const exited = new Promise((resolve) => first.child.once('exit', resolve));
    first.child.kill('SIGKILL');
    await exited;
    await start(0, ports[0]);
  });
  console.log(`one killed and back: ${death.total} saves, ${death.failed} calls failed and were to be tried again`);
  console.log(`RESULT store_ops_per_save_with_a_death=${death.perSave.toFixed(3)}`);
}

/** autocannon's own Host header leaves the port out, and the gateway answers to its one name. */
function addressedTo({ url }, requests) {
  return requests.map((one) => ({ ...one, headers: { ...one.headers, host: new URL(url).host } }));
}

/** All commands that all replicas have sent so far. */
async function commands(folder) {
  await sleep(COUNTED_LATEST_MS);
  const files = await readdir(folder);
  const counts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return counts
    .map((text) => JSON.parse(text))
    .reduce((sum, { all, steps }) => ({ all: sum.all + all, steps: sum.steps + steps }));
}

/** A gateway before these upstreams, over an empty shell. */
async function startGateway(own, upstreams) {
  const shell = join(own.folder, 'shell');
  await mkdir(shell, { recursive: true });
  await writeFile(join(shell, 'index.html'), '<!doctype html>');
  const [port, metricsPort] = await freePorts(2);
  const url = `http://localhost:${port}`;
  const started = await own.start({
    command: process.execPath,
    args: [join(ROOT, 'infra/gateway/dist/main.js')],
    env: {
      ...{ HOST: '127.0.0.1', PORT: String(port), METRICS_PORT: String(metricsPort), PUBLIC_ORIGIN: url },
      ...{ UPSTREAMS: JSON.stringify(upstreams), SHELL_DIR: shell, MODULE_STORE: shell, LOG_LEVEL: 'warn' },
    },
    isReady: answersOk(`http://127.0.0.1:${metricsPort}/readyz`),
  });
  return { ...started, url };
}
