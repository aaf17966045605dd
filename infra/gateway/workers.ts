import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@cord/kit/log';

const BACKOFF_MS_MIN = 250;
const BACKOFF_MS_MAX = 10_000;
/** One that lived this long has earned a fresh start of its backoff. */
const STEADY_MS = 30_000;

/**
 * Runs several gateways that share the port of the origin, by node:cluster: this process takes connections and hands them out in
 * turn. One that ends, however it does, is started again, and the others serve meanwhile; SIGTERM and SIGINT go to all of them. This
 * process ends when they have, or with the first that cannot start.
 * @param metricsPorts a port of its own for each
 * @param endMs after which those that got a stop signal are killed
 */
export function leadGateways(metricsPorts: readonly number[], log: Log, endMs: number): void {
  let isStopping = false;
  /** Whether one has listened: from then on what ends is started again. */
  let haveListened = false;

  const keep = async (port: number): Promise<void> => {
    let backoffMs = BACKOFF_MS_MIN;
    while (!isStopping) {
      const startedMs = performance.now();
      const worker = cluster.fork({ METRICS_PORT: String(port) });
      worker.once('listening', () => {
        haveListened = true;
      });
      const code = await new Promise<number | null>((resolve) => {
        worker.once('exit', resolve);
        // A connection was handed to one that has just ended, whose `exit` follows; or it could not be started at all, and none does.
        worker.on('error', (err) => {
          log.warn({ err, port }, 'a gateway cannot be reached by the one that leads it');
          if (worker.process.pid === undefined) resolve(null);
        });
      });
      if (isStopping) return;
      if (!haveListened) process.exit(code ?? 1);
      if (performance.now() - startedMs > STEADY_MS) backoffMs = BACKOFF_MS_MIN;
      log.warn({ reason: `ended with ${code}`, port, waitMs: backoffMs }, 'a gateway has ended and is started again');
      await sleep(backoffMs);
      backoffMs = Math.min(BACKOFF_MS_MAX, backoffMs * 2);
    }
  };
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), endMs).unref();
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(
      workers.map((worker) => {
        const ended = new Promise((resolve) => worker.once('exit', resolve));
        worker.process.kill(signal);
        return ended;
      }),
    );
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  for (const port of metricsPorts) void keep(port);
}
