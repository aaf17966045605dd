import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { opsUrlOf } from '../../../services/kit/ops-port.ts';
import { ROOT } from '../../dev/starter/paths.mjs';
import { freePorts } from '../../dev/starter/ports.ts';
import { answersOk } from '../../dev/starter/probes.ts';
import { inParallel } from '../../test/kit/people.ts';
import { residentBytes } from '../../test/kit/proc.ts';
import { connectTo, Processes, startNats, startService, startStore } from '../../test/kit/processes.ts';
import { rounded } from '../web/budgets.mjs';
import { Reader } from './reader.ts';

const STREAMS = Number(process.env.STREAMS ?? 10_000);
const THROUGH = Number(process.env.THROUGH ?? 2_000);
const CHANGES = Number(process.env.CHANGES ?? 300);
const MINERS = 100;
const LANES = 64;
const RECONNECT_MS_MAX = 60_000;
const HOUR_MS = 3_600_000;
/** A gateway takes a replica off after two probes without an answer: two times a second of silence and a second between. */
const UNANSWERED_TWICE_MS = 6_000;

/**
 * One process of notices holds STREAMS of them (10,000), THROUGH of them (2,000) through one gateway, each of a user of its
 * own; what a stream takes is the growth of the process's resident memory by all of them. Then CHANGES (300) starts and
 * stops of nodes, made over HTTP beside them as from another device, are followed to their users' streams. In the end the
 * process is stopped as a rolling restart does it, with another one beside it, and everybody comes again.
 *
 * @returns {Promise<Record<string, number>>}
 */
export async function measureStreams() {
  const own = await Processes.create();
  let auth;
  let readers = [];
  try {
    const { uri: mongodbUri } = await startStore(own);
    const natsUrl = await startNats(own);
    auth = await connectTo(natsUrl);
    const users = await prepareUsers(auth);
    const start = (service) => startService(own, { file: `services/${service}/dist/main.js`, mongodbUri, natsUrl });
    const mining = await start('mining');
    const [one, two] = [await start('notices'), await start('notices')];
    const gateway = await startGateway(own, [one.url, two.url], natsUrl);

    // The gateway takes turns: what goes through it would be shared. To fill one process, the other stands still meanwhile.
    let direct = one.url;
    two.child.kill('SIGSTOP');
    await sleep(UNANSWERED_TWICE_MS);
    const before = residentBytes(one.child.pid);
    const gatewayBefore = residentBytes(gateway.child.pid);
    readers = users.map(({ session, ...user }, n) =>
      n < THROUGH ? new Reader(() => gateway.url, { ...user, token: session }) : new Reader(() => direct, user),
    );
    await inParallel(readers, LANES, (reader) => reader.open());
    await sleep(3_000);
    const held = await heldBy(one);
    const perStream = (residentBytes(one.child.pid) - before) / held;
    const perPassing = (residentBytes(gateway.child.pid) - gatewayBefore) / THROUGH;
    console.log(`${held} streams in one process, ${THROUGH} of them through one gateway`);

    const waits = await changesReach({ auth, miningUrl: mining.url, users }, readers.slice(0, MINERS));
    console.log(
      `${waits.length} changes: p50 ${at(waits, 0.5)} ms, p99 ${at(waits, 0.99)} ms, longest ${at(waits, 1)} ms`,
    );

    two.child.kill('SIGCONT');
    await sleep(3_000);
    const opened = readers.map((reader) => reader.opened);
    const known = readers.map((reader) => reader.statuses.length);
    const stoppedMs = performance.now();
    const stopping = own.end(one);
    direct = two.url;
    const isBack = (reader, n) => reader.isOpen && reader.opened > opened[n];
    while (!readers.every(isBack) && performance.now() - stoppedMs < RECONNECT_MS_MAX) await sleep(100);
    const back = readers.filter(isBack).length;
    const backS = (performance.now() - stoppedMs) / 1_000;
    await stopping;
    const refused = readers.flatMap(({ statuses }, n) => statuses.slice(known[n])).filter((status) => status !== 200);
    console.log(
      `${back} of ${readers.length} have come again in ${backS.toFixed(1)} s; refused meanwhile: ${refused.length}`,
    );

    return {
      streams_held: held,
      kib_per_stream: rounded(perStream / 1_024),
      gateway_kib_per_stream: rounded(perPassing / 1_024),
      change_to_stream_p99_ms: at(waits, 0.99),
      reconnected: back,
      reconnect_s: rounded(backS),
      reconnect_5xx: refused.filter((status) => Number(status) >= 500).length,
      reconnect_refused: refused.length,
    };
  } finally {
    for (const reader of readers) reader.close();
    await auth?.drain();
    await own.close();
  }
}

/** Users with a session, for the gateway, and the token of a caller, for services; whoever signs stands in for auth until the end. */
async function prepareUsers(auth) {
  const [{ ensureTopology }, { createSessionSigner, createSigner, randomId }] = await Promise.all([
    import('@cord/kit/topology'),
    import('@cord/kit/testing/index'),
  ]);
  await ensureTopology(auth);
  const [callers, sessions] = [await createSigner(auth), await createSessionSigner(auth)];
  const ids = Array.from({ length: STREAMS }, () => randomId());
  const now = { nowMs: Date.now() };
  return inParallel(ids, LANES, async (id) => ({
    id,
    token: await callers.sign(id, now),
    session: await sessions.sign(id, now),
  }));
}

async function startGateway(own, notices, natsUrl) {
  const [port, metricsPort] = await freePorts(2);
  const { TEST_GATEWAY_KEY } = await import('@cord/kit/testing/signer');
  const started = await own.start({
    command: process.execPath,
    args: [join(ROOT, 'infra/gateway/dist/main.js')],
    env: {
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      PUBLIC_ORIGIN: `http://127.0.0.1:${port}`,
      UPSTREAMS: JSON.stringify({ notices }),
      SHELL_DIR: own.folder,
      MODULE_STORE: own.folder,
      NATS_URL: natsUrl,
      GATEWAY_KEY: TEST_GATEWAY_KEY,
      CORD_DATA: own.folder,
      LOG_LEVEL: 'warn',
    },
    isReady: answersOk(`http://127.0.0.1:${metricsPort}/readyz`),
  });
  return { ...started, url: `http://127.0.0.1:${port}` };
}

/** Starts and stops nodes of users whose streams are read. @returns ms from the call to the event, in order of size */
async function changesReach({ auth, miningUrl, users }, listening) {
  const { openAccount } = await import('@cord/contracts/rpc/ledger');
  const waits = [];
  await inParallel(listening, 8, async ({ user }) => {
    await auth.request(openAccount, { userId: user.id, discordCreatedAt: Date.now() - HOUR_MS, at: Date.now() });
  });
  await sleep(1_000);
  const changes = Array.from({ length: CHANGES }, (_, n) => ({ reader: listening[n % listening.length], n }));
  await inParallel(changes, 4, async ({ reader, n }) => {
    const { id, token } = users[n % listening.length];
    const verb = Math.floor(n / listening.length) % 2 === 0 ? 'activate-node' : 'deactivate-node';
    const come = reader.next('node');
    const beganMs = performance.now();
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${miningUrl}/api/users/${id}/${verb}`, { method: 'POST', headers });
    if (!answer.ok) throw new Error(`${verb} was answered ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
    waits.push((await come) - beganMs);
  });
  return waits.sort((a, b) => a - b);
}

function at(sorted, share) {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]);
}

/** Streams that a process says it holds. */
async function heldBy({ url }) {
  const figures = await (await fetch(`${opsUrlOf(url)}/metrics`)).text();
  return Number(/^cord_streams{[^}]*} (\d+)/m.exec(figures)?.[1] ?? 0);
}
