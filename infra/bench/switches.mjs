import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ROOT } from '../dev/starter/paths.mjs';
import { median } from './report/median.mjs';
import { call, signIn } from './system/people.mjs';
import { startSystem } from './system/system.mjs';

/*
 * npm run bench -- switches: how long it takes until what an operator switches off is off everywhere. Two processes of each service and
 * gateway; each replica of tasks and rewards is asked itself, the gateways by new connections, again and again, from before the switch on. Measured
 * from the beginning of the act until the last of them holds it, --rounds times (10) off and on again, by an admin's call and by `npx cord switch` beside
 * the system; of the latter from its end. Asked of it: at most 1 s each.
 */

const SECONDS_MAX = 1;
const ASK_EVERY_MS = 10;
/** Gateways share a port: so many new connections in a row meet both. */
const LOOKS = 8;
const MODULE = 'mfe_tasks';
const HELD_MS_MAX = 30_000;

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '10' } } });
const system = await startSystem(['--replicas', '2']);
let failed = 1;
try {
  const admin = await signIn(system.origin, { years: 2, username: 'switches' });
  await fetch(`${system.origin}/dev/users/${admin.id}/admin`, { method: 'POST' });
  while (!(await mayAct(admin))) await sleep(ASK_EVERY_MS);
  const holders = await allHolders(admin);
  const taken = { by_admin: [], by_command: [] };
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const on of [false, true]) {
      for (const { name, holds } of holders) taken.by_admin.push(await until(on, holds, () => flip(admin, name, on)));
    }
  }
  for (const on of [false, true])
    for (const { name, holds } of holders) taken.by_command.push(await until(on, holds, () => byCommand(name, on)));
  for (const [name, all] of Object.entries(taken)) {
    console.log(`RESULT ${name}_median_s=${median(all).toFixed(3)}`);
    console.log(`RESULT ${name}_max_s=${Math.max(...all).toFixed(3)}`);
  }
  const late = Object.values(taken).filter((all) => Math.max(...all) > SECONDS_MAX);
  failed = late.length;
  console.log(`${Object.keys(taken).length - failed} passed, ${failed} failed`);
} finally {
  await system.stop();
}
process.exit(failed === 0 ? 0 : 1);

/** What is switched, and whether it is off, as each process that refuses or hides something says. */
async function allHolders(admin) {
  const { services } = await system.running();
  const at = (name) => services[name].map(({ url }) => ({ ...admin, origin: url }));
  const refuses = (replicas, path, body) =>
    replicas.map((one) => () => post(one, path, body).then((type) => type === 'switched-off'));
  const tasks = refuses(at('tasks'), '/daily-checkin/perform', { userId: admin.id });
  const rewards = refuses(at('rewards'), '/badge-orders', {});
  return [
    { name: 'claims', holds: tasks },
    { name: 'orders', holds: rewards },
    { name: `module.${MODULE}`, holds: [isHidden] },
  ];
}

/** @returns {Promise<string>} the type of the refusal; `done` where there was none */
async function post({ origin, token }, path, body) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${origin}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return answer.ok ? 'done' : ((await answer.json()).type ?? '');
}

/** Whether both gateways say that the module is off; undefined where they differ. */
async function isHidden() {
  const looks = Array.from({ length: LOOKS }, async () => {
    const answer = await fetch(`${system.origin}/remotes.json`, { headers: { connection: 'close' } });
    return (await answer.json()).modules[MODULE].off === true;
  });
  const said = new Set(await Promise.all(looks));
  return said.size === 1 ? [...said][0] : undefined;
}

/** Seconds from the beginning of an act until all hold it. */
async function until(on, holds, act) {
  const { begun, done } = act();
  const startMs = await begun;
  const held = await Promise.all(holds.map((isOff) => firstHeld(isOff, !on, startMs)));
  await done;
  return Math.max(...held) / 1_000;
}

async function firstHeld(isOff, wanted, startMs) {
  for (;;) {
    const heldMs = (await isOff()) === wanted ? performance.now() - startMs : undefined;
    if (heldMs !== undefined) return heldMs;
    if (performance.now() - startMs > HELD_MS_MAX) throw new Error(`not held within ${HELD_MS_MAX / 1_000} s`);
    await sleep(ASK_EVERY_MS);
  }
}

function flip(admin, name, on) {
  const begun = performance.now();
  return { begun, done: call(admin, 'PUT', `/admin/switches/${name}`, { on, why: 'measured' }) };
}

/** The command begins with a second of Node's own, so what counts is from when it has told of what it did. */
function byCommand(name, on) {
  const args = ['infra/cli/cord.mjs', 'switch', on ? 'on' : 'off', name, '--why', 'measured', '--data', system.dataDir];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const begun = once(child.stdout, 'data').then(() => performance.now());
  const done = once(child, 'close').then(([code]) => {
    if (code !== 0) throw new Error(`npx cord switch ended with ${code}`);
  });
  return { begun, done };
}

async function mayAct(admin) {
  return call(admin, 'GET', '/admin/switches').then(
    () => true,
    () => false,
  );
}
