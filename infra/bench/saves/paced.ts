import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMicros } from '../../test/kit/proc.ts';
import type { Save, Seen, Server } from './miners.ts';

const CONNECTIONS = 64;
/** Send interval, ms: each tick sends the calls due since the last. */
const TICK_MS = 1;

/**
 * Makes calls at a fixed rate, whatever the responses take: a call delayed by slow ones counts from its due time.
 * @throws {Error} when a response is not 200
 */
export async function paced(
  { url, requests, child: { pid = 0 } }: Server & { requests: readonly Save[] },
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Seen> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const total = Math.round(perSecond * seconds);
  const waits: number[] = [];
  const under: Promise<unknown>[] = [];
  const failures: Error[] = [];
  const cpuBefore = cpuMicros(pid);
  const beganMs = performance.now();
  for (let n = 0; n < total; ) {
    for (const due = ((performance.now() - beganMs) * perSecond) / 1_000; n < total && n < due; n += 1) {
      const dueMs = beganMs + (n * 1_000) / perSecond;
      const save = requests[n % requests.length];
      if (!save) throw new Error('nothing to send');
      under.push(
        sent(agent, url, save).then(
          () => waits.push(performance.now() - dueMs),
          (error: Error) => failures.push(error),
        ),
      );
    }
    await sleep(TICK_MS);
  }
  await Promise.all(under);
  if (failures.length > 0) throw failures[0];
  const tookMs = performance.now() - beganMs;
  agent.destroy();
  waits.sort((a, b) => a - b);
  return {
    total,
    perSecond: (total * 1_000) / tookMs,
    p99Ms: waits[Math.ceil(total * 0.99) - 1] ?? Number.NaN,
    cpuPerSave: (cpuMicros(pid) - cpuBefore) / total,
  };
}

function sent(agent: Agent, url: string, { method, path, body, headers }: Save): Promise<void> {
  return new Promise((resolve, reject) => {
    const length = { 'content-length': Buffer.byteLength(body) };
    const call = request(`${url}${path}`, { agent, method, headers: { ...headers, ...length } }, (answer) => {
      answer.resume().once('end', () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`${path} responded with ${answer.statusCode}`));
      });
    });
    call.once('error', reject).end(body);
  });
}
