import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMicros } from '../../test/kit/proc.ts';

const CONNECTIONS = 64;
/** Calls go out at the ticks of this, ms: those that are due since the last one. */
const TICK_MS = 1;

/**
 * Calls by the clock, whatever the answers take: a call that comes late because others were slow counts from when it was due.
 * Every answer must be 200.
 * @param {{url: string, requests: {method: string, path: string, body: string, headers: Record<string, string>}[], child: {pid: number}}} service
 * @returns as `window` in miners.mjs
 */
export async function paced({ url, requests, child }, { perSecond, seconds }) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const total = Math.round(perSecond * seconds);
  const waits = [];
  const under = [];
  const failures = [];
  const cpuBefore = cpuMicros(child.pid);
  const beganMs = performance.now();
  for (let n = 0; n < total; ) {
    for (const due = ((performance.now() - beganMs) * perSecond) / 1_000; n < total && n < due; n += 1) {
      const dueMs = beganMs + (n * 1_000) / perSecond;
      const answered = sent(agent, url, requests[n % requests.length]);
      under.push(
        answered.then(
          () => waits.push(performance.now() - dueMs),
          (error) => failures.push(error),
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
    p99Ms: waits[Math.ceil(total * 0.99) - 1],
    cpuPerSave: (cpuMicros(child.pid) - cpuBefore) / total,
  };
}

function sent(agent, url, { method, path, body, headers }) {
  return new Promise((resolve, reject) => {
    const length = { 'content-length': Buffer.byteLength(body) };
    const call = request(`${url}${path}`, { agent, method, headers: { ...headers, ...length } }, (answer) => {
      answer.resume().once('end', () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`${path} was answered ${answer.statusCode}`));
      });
    });
    call.once('error', reject).end(body);
  });
}
