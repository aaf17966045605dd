/**
 * `npm run bench -- images [-- --only KIND] [-- --without-buildah]`: builds each image with buildah on a base made here, starts it as its user on a read-only root, with the variables and secrets of the
 * Kubernetes files, against a NATS cluster of three and the document store of this machine, and asks whether it is ready. Last lines `RESULT name=value`.
 */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { opsUrlOf } from '../../services/kit/ops-port.mjs';
import { requireBinary } from '../dev/starter/binaries.mjs';
import { runCommand } from '../dev/starter/commands.mjs';
import { freePorts } from '../dev/starter/ports.mjs';
import { StartError } from '../dev/starter/problems.mjs';
import { SERVICES } from '../dev/starter/services.mjs';
import { awaited } from './images/awaited.mjs';
import { builder } from './images/build.mjs';
import { runContainer, startContainer, stopContainers } from './images/container.mjs';
import { folderBuilder } from './images/folders.mjs';
import { podOf, USER } from './images/pods.mjs';
import { startStores } from './images/stores.mjs';

const MB = 1_000_000;
const MB_MAX = 200;
const BUILDAH = { name: 'buildah', debianPackage: 'buildah', otherwise: 'Debian has it' };
/** How what was begun is ended. @type {(() => void | Promise<void>)[]} */
const undo = [];
const NEVER_RUN = 'never run here: compose, Kubernetes, a real MongoDB, the images of MongoDB and NATS, an ingress';

await runCommand(async () => {
  const { values } = parseArgs({ options: { only: { type: 'string' }, 'without-buildah': { type: 'boolean' } } });
  const work = mkdtempSync(join(tmpdir(), 'cord-images-'));
  undo.push(() => rmSync(work, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => undone().finally(() => process.exit(1)));
  try {
    const { makeBase, build, remove } = await builderHere(work, values['without-buildah']);
    undo.push(remove);
    makeBase();
    const images = new Map();
    for (const kind of ['jobs', ...SERVICES, 'gateway'].filter((one) => [undefined, one].includes(values.only))) {
      const image = await build(kind);
      images.set(kind, image);
      console.log(`${kind}  ${(image.bytes / MB).toFixed(1)} MB  built`);
      if (image.root && image.config.User !== USER) throw new StartError(`${kind} runs as ${image.config.User}`);
    }
    const largest = Math.max(...[...images.values()].map(({ bytes }) => bytes / MB));
    if (!values.only) await deploy(images, work);
    console.log(NEVER_RUN);
    for (const [kind, { bytes }] of images) console.log(`RESULT ${kind}_mb=${(bytes / MB).toFixed(1)}`);
    const what = [...images.values()].every(({ root }) => root) ? 'images' : 'folders_without_node';
    console.log(`RESULT ${what}=${images.size} largest_mb=${largest.toFixed(1)} most_mb=${MB_MAX}`);
    if (largest > MB_MAX) process.exitCode = 1;
  } finally {
    await undone();
  }
});

/** What was begun is ended, the last first; whatever becomes of one, the others are. */
async function undone() {
  for (const end of undo.splice(0).reverse())
    await Promise.resolve()
      .then(end)
      .catch((error) => console.error(`left behind: ${error.message}`));
}

/** With buildah as root, where it is to be had; else folders, which is said. */
async function builderHere(work, without) {
  const why = without ? 'as asked' : process.getuid() === 0 ? await missing(BUILDAH) : 'not root';
  if (!why) return builder(work);
  console.log(
    `no images are built (${why}): each RUN and CMD runs in an empty folder, with the user, root and libraries of this machine`,
  );
  return folderBuilder(work);
}

/** Why a program is not to be had. */
function missing(binary) {
  return requireBinary(binary).then(
    () => undefined,
    ({ message }) => message,
  );
}

/** In the order of a deployment: jobs, modules, services, gateway; then it is used, looked at and stopped. */
async function deploy(images, work) {
  const { secrets, close } = await startStores(work);
  undo.push(close, stopContainers);
  const modules = join(work, 'modules');
  mkdirSync(modules);
  // A volume belongs to the group of its pods.
  chmodSync(modules, 0o777);
  const running = [];
  const run = (kind, pod, more = {}) => {
    const { args, env, volumes } = podOf(pod, { secrets, modules });
    return [images.get(kind), { env: { ...env, ...more }, volumes, ...(args.length > 0 ? { args } : {}) }];
  };
  for (const job of ['migrate', 'topology']) {
    await runContainer(...run('jobs', job));
    console.log(`jobs ${job}: done`);
  }
  console.log(`modules: ${(await runContainer(...run('gateway', 'modules'))).trim().split('\n').at(-1)}`);
  for (const image of images.values()) if (image.root) await refusesWrites(image);
  const ports = await freePorts(SERVICES.length + 2);
  const url = (index) => `http://127.0.0.1:${ports[index]}`;
  const upstreams = JSON.stringify(Object.fromEntries(SERVICES.map((name, index) => [name, [url(index)]])));
  const [front, inside] = ports.slice(SERVICES.length).map(String);
  const gateway = { PORT: front, METRICS_PORT: inside, UPSTREAMS: upstreams };
  for (const [index, name] of SERVICES.entries())
    running.push({ url: opsUrlOf(url(index)), ...startContainer(...run(name, name, { PORT: String(ports[index]) })) });
  running.push({ url: `http://127.0.0.1:${inside}`, ...startContainer(...run('gateway', 'gateway', gateway)) });
  for (const one of running) await isReady(one);
  await isUsed(front);
  await areOperated(run);
  console.log((await runContainer(...run('jobs', 'audit'))).trim().split('\n').at(-1));
  const ends = await Promise.all(running.map(async (one) => `${one.kind} ${await one.stop()}`));
  const ill = ends.filter((end) => !end.endsWith(' 0'));
  if (ill.length > 0) throw new StartError(`not ended well after SIGTERM: ${ill.join(', ')}`);
  console.log(`RESULT ready=${running.length} of=${SERVICES.length + 1} ended_well=${ends.length}`);
}

/** Ready by its own word, and running as nobody else than its user. */
async function isReady({ kind, url, pid, root, isRunning, said }) {
  const answered = async () => (await fetch(`${url}/readyz`)).status === 200;
  await awaited(answered, `${kind} is ready`, () => (isRunning() ? undefined : `it ended:\n${said()}`));
  if (!root) return console.log(`${kind}: ready`);
  const [, ids = ''] = /^Uid:\s+(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (!ids.split(/\s+/).every((id) => id === USER.split(':')[0])) throw new StartError(`${kind} runs as ${ids}`);
  console.log(`${kind}: ready, as user ${ids.split(/\s+/)[0]}`);
}

/** Whatever an image is asked to write beside its volumes and /tmp is refused. */
async function refusesWrites(image) {
  const tries =
    "for (const path of ['/cord/x', '/x', '/usr/local/bin/node']) try { require('fs').appendFileSync(path, ''); process.exit(1) } catch (e) { if (e.code !== 'EROFS' && e.code !== 'EACCES') throw e }";
  await runContainer(image, { args: ['-e', `${tries} require('fs').writeFileSync('/tmp/x', '')`] });
}

/** Through the gateway: all services are well, the page comes, and the modules are found. */
async function isUsed(port) {
  await awaited(async () => (await ask(port, '/healthz')).status === 200, 'all services are well');
  const page = await ask(port, '/');
  const registry = JSON.parse((await ask(port, '/remotes.json')).text);
  const board = await ask(port, '/api/leaderboard');
  const found = Object.keys(registry.modules).length;
  if (page.status !== 200 || !page.text.includes('<html') || board.status !== 200 || found === 0)
    throw new StartError(`through the gateway: page ${page.status}, board ${board.status}, ${found} modules`);
  console.log(`through the gateway: all services well, the page, ${found} modules, the board`);
}

/** What an operator does beside a running system. */
async function areOperated(run) {
  const [gateway, ofGateway] = run('gateway', 'modules');
  const [jobs, ofNats] = run('jobs', 'topology');
  const [, ofAuth] = run('jobs', 'keys');
  const said = [
    await runContainer(...run('jobs', 'keys')),
    await runContainer(jobs, { ...ofAuth, args: ['infra/dev/switch.mjs', 'list'] }),
    await runContainer(jobs, { ...ofNats, args: ['infra/dev/dlq.mjs', 'list'] }),
    await runContainer(gateway, { ...ofGateway, args: ['infra/deploy/module.mjs', 'list'] }),
  ];
  for (const text of said) console.log(text.trim().split('\n').at(-1));
}

/** As an ingress asks: by the name of the site. */
function ask(port, path) {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, headers: { host: 'cord.example' } }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () => resolve({ status: answer.statusCode, text: Buffer.concat(chunks).toString() }));
    });
    asked.once('error', reject);
    asked.end();
  });
}
