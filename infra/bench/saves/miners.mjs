import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { cpuMicros } from '../../test/kit/proc.ts';
import { connectTo } from '../../test/kit/processes.ts';

export const USERS = 200;
const CONNECTIONS = 32;
const HOUR_MS = 3_600_000;
const body = JSON.stringify({ earningsToAdd: 0.08, miningRate: 0.5 });

/** Users with the tokens of callers, and the connection of whoever has made them. */
export async function prepareUsers(natsUrl) {
  const [{ ensureTopology }, { createSigner, randomId }] = await Promise.all([
    import('@cord/kit/topology'),
    import('@cord/kit/testing/index'),
  ]);
  const nats = await connectTo(natsUrl);
  await ensureTopology(nats);
  const signer = await createSigner(nats);
  const users = [];
  for (let n = 0; n < USERS; n += 1) {
    const id = randomId();
    users.push({ id, token: await signer.sign(id, { nowMs: Date.now() }) });
  }
  return { users, auth: nats };
}

/** Opens the accounts, starts a node for each, and gives the saves of all as requests. */
export async function openNodes(natsUrl, users, url) {
  const { openAccount } = await import('@cord/contracts/rpc/ledger');
  const nats = await connectTo(natsUrl);
  const requests = [];
  for (const { id, token } of users) {
    await nats.request(openAccount, { userId: id, discordCreatedAt: Date.now() - HOUR_MS, at: Date.now() });
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}/api/users/${id}/mining/start`, { method: 'POST', headers });
    const session = await answer.json();
    if (!answer.ok) throw new Error(`a node did not start: ${JSON.stringify(session)}`);
    requests.push(post(`/api/users/${id}/mining/${session.id}/save`, headers));
  }
  await nats.drain();
  return requests;
}

export function post(path, headers) {
  return { method: 'POST', path, body, headers: { 'content-type': 'application/json', ...headers } };
}

/**
 * One window of load; every answer must be 200, unless failures are let pass.
 * @returns saves a second, p99, CPU time a save, and how many saves were made
 */
export async function window({ url, child }, requests, { mayFail = false, ...length }) {
  const cpuBefore = cpuMicros(child.pid);
  const share = Math.ceil(requests.length / CONNECTIONS);
  let connection = 0;
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    ...length,
    requests: [{ method: 'GET', path: '/' }],
    setupClient: (client) => {
      const from = (connection * share) % requests.length;
      connection += 1;
      client.setRequests(requests.slice(from, from + share));
    },
  });
  if (!mayFail && (result.non2xx > 0 || result.errors > 0))
    throw new Error(`${result.non2xx} answers were no 2xx, ${result.errors} errors`);
  await sleep(200);
  const total = result['2xx'];
  const cpuPerSave = (cpuMicros(child.pid) - cpuBefore) / total;
  return {
    total,
    failed: result.non2xx + result.errors,
    perSecond: total / result.duration,
    p99Ms: result.latency.p99,
    cpuPerSave,
  };
}
