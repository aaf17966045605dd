import { setTimeout as sleep } from 'node:timers/promises';
import type { Nats } from '@cord/kit/nats';
import { opsUrlOf } from '../../../services/kit/ops-port.ts';
import type { Started } from '../../dev/starter/process-group.ts';
import { inParallel } from '../../test/kit/people.ts';
import { residentBytes } from '../../test/kit/proc.ts';
import { connectTo, Processes, startNats, startService, startStore } from '../../test/kit/processes.ts';
import { startGateway } from '../shared/gateway.ts';
import { prepareUsers, type User } from '../shared/users.ts';
import { rounded } from '../web/budgets.ts';
import { Reader } from './reader.ts';

const STREAMS = Number(process.env.STREAMS ?? 10_000);
const THROUGH = Number(process.env.THROUGH ?? 2_000);
const CHANGES = Number(process.env.CHANGES ?? 300);
const MINERS = 100;
const LANES = 64;
const RECONNECT_MS_MAX = 60_000;
const HOUR_MS = 3_600_000;
/** Time after which a gateway has dropped a silent replica: two probes with a timeout of 1 s, and a margin. */
const UNANSWERED_TWICE_MS = 6_000;

/**
 * One process of notices holds STREAMS (10,000) streams, THROUGH (2,000) of them through one gateway, each of a
 * different user. The memory of a stream is the growth of the process's resident memory. Then CHANGES (300) node starts
 * and stops over HTTP, as by another device, are followed to their users' streams. Finally the process stops as in a
 * rolling restart, beside another one, and everybody reconnects.
 */
export async function measureStreams() {
  const own = await Processes.create();
  let auth: Nats | undefined;
  let readers: Reader[] = [];
  try {
    const { uri: mongodbUri } = await startStore(own);
    const natsUrl = await startNats(own);
    auth = await connectTo(natsUrl);
    const users = await prepareUsers(auth, STREAMS);
    const start = (service: string) =>
      startService(own, { file: `services/${service}/dist/main.js`, mongodbUri, natsUrl });
    const mining = await start('mining');
    const [one, two] = [await start('notices'), await start('notices')];
    const gateway = await startGateway(own, { notices: [one.url, two.url] }, natsUrl);

    // The gateway balances between both, so the other is paused while one process is filled.
    let direct = one.url;
    two.child.kill('SIGSTOP');
    await sleep(UNANSWERED_TWICE_MS);
    const before = bytesOf(one);
    const gatewayBefore = bytesOf(gateway);
    readers = users.map(({ session, ...user }, n) =>
      n < THROUGH ? new Reader(() => gateway.url, { ...user, token: session }) : new Reader(() => direct, user),
    );
    await inParallel(readers, LANES, (reader) => reader.open());
    await sleep(3_000);
    const held = await heldBy(one);
    const perStream = (bytesOf(one) - before) / held;
    const perPassing = (bytesOf(gateway) - gatewayBefore) / THROUGH;
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
    const isBack = (reader: Reader, n: number) => reader.isOpen && reader.opened > (opened[n] ?? 0);
    while (!readers.every(isBack) && performance.now() - stoppedMs < RECONNECT_MS_MAX) await sleep(100);
    const back = readers.filter(isBack).length;
    const backS = (performance.now() - stoppedMs) / 1_000;
    await stopping;
    const refused = readers.flatMap(({ statuses }, n) => statuses.slice(known[n])).filter((status) => status !== 200);
    console.log(
      `${back} of ${readers.length} have reconnected in ${backS.toFixed(1)} s; refused meanwhile: ${refused.length}`,
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

const bytesOf = ({ child }: Started) => residentBytes(child.pid ?? 0);

/** Starts and stops nodes of users with an open stream. @returns ms from the call to the event, sorted */
async function changesReach(
  { auth, miningUrl, users }: { auth: Nats; miningUrl: string; users: User[] },
  listening: Reader[],
) {
  const { openAccount } = await import('@cord/contracts/rpc/ledger');
  const waits: number[] = [];
  await inParallel(listening, 8, async ({ user }) => {
    await auth.request(openAccount, { userId: user.id, discordCreatedAt: Date.now() - HOUR_MS, at: Date.now() });
  });
  await sleep(1_000);
  const changes = Array.from({ length: CHANGES }, (_, n) => n);
  await inParallel(changes, 4, async (n) => {
    const [reader, user] = [listening[n % listening.length], users[n % listening.length]];
    if (!reader || !user) throw new Error('no stream is open');
    const { id, token } = user;
    const verb = Math.floor(n / listening.length) % 2 === 0 ? 'activate-node' : 'deactivate-node';
    const come = reader.next('node');
    const beganMs = performance.now();
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${miningUrl}/api/users/${id}/${verb}`, { method: 'POST', headers });
    if (!answer.ok) throw new Error(`${verb} responded with ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
    waits.push((await come) - beganMs);
  });
  return waits.sort((a, b) => a - b);
}

function at(sorted: number[], share: number) {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN);
}

/** Streams held by a process, from its own metrics. */
async function heldBy({ url }: { url: string }) {
  const figures = await (await fetch(`${opsUrlOf(url)}/metrics`)).text();
  return Number(/^cord_streams{[^}]*} (\d+)/m.exec(figures)?.[1] ?? 0);
}
