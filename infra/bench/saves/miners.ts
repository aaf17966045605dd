import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import type { Started } from '../../dev/starter/process-group.ts';
import { cpuMicros } from '../../test/kit/proc.ts';
import { connectTo } from '../../test/kit/processes.ts';

export const USERS = 200;
const CONNECTIONS = 32;
const HOUR_MS = 3_600_000;
const body = JSON.stringify({ earningsToAdd: 0.08, miningRate: 0.5 });

/** The request of a save. */
export interface Save {
  method: string;
  path: string;
  body: string;
  headers: Record<string, string>;
}

/** A server that accepts saves. */
export type Server = Pick<Started, 'child'> & { url: string };

/** Result of one window of load. */
export interface Seen {
  /** Successful saves. */
  total: number;
  perSecond: number;
  p99Ms: number;
  /** CPU time of the server, microseconds. */
  cpuPerSave: number;
}

/** Opens the accounts, starts a node for each, and returns the requests of all saves. */
export async function openNodes(natsUrl: string, users: { id: string; token: string }[], url: string): Promise<Save[]> {
  const { openAccount } = await import('@cord/contracts/rpc/ledger');
  const nats = await connectTo(natsUrl);
  const requests: Save[] = [];
  for (const { id, token } of users) {
    await nats.request(openAccount, { userId: id, discordCreatedAt: Date.now() - HOUR_MS, at: Date.now() });
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}/api/users/${id}/mining/start`, { method: 'POST', headers });
    const session = (await answer.json()) as { id: string };
    if (!answer.ok) throw new Error(`a node did not start: ${JSON.stringify(session)}`);
    requests.push(post(`/api/users/${id}/mining/${session.id}/save`, headers));
  }
  await nats.drain();
  return requests;
}

export function post(path: string, headers: Record<string, string>): Save {
  return { method: 'POST', path, body, headers: { 'content-type': 'application/json', ...headers } };
}

/** A length in seconds, or in calls. */
export type Length = { duration: number } | { amount: number };

/**
 * Runs one window of load.
 * @throws {Error} when a response is not 200, unless `mayFail`
 */
export async function window(
  { url, child: { pid = 0 } }: Server,
  requests: readonly Save[],
  length: Length,
  mayFail = false,
): Promise<Seen & { failed: number }> {
  const cpuBefore = cpuMicros(pid);
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
    throw new Error(`${result.non2xx} responses were not 2xx, ${result.errors} errors`);
  await sleep(200);
  const total = result['2xx'];
  const cpuPerSave = (cpuMicros(pid) - cpuBefore) / total;
  return {
    total,
    failed: result.non2xx + result.errors,
    perSecond: total / result.duration,
    p99Ms: result.latency.p99,
    cpuPerSave,
  };
}
