import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@cord/kit/log';

const BACKOFF_MS_MIN = 250;
const BACKOFF_MS_MAX = 10_000;
/** A process that ran this long restarts with the minimum backoff, ms. */
const STEADY_MS = 30_000;

/**
 * Runs several gateways that share the origin's port, by node:cluster: this process accepts connections and
 * distributes them in turn. A gateway that ends for any reason is restarted while the others serve; SIGTERM and
 * SIGINT are passed to all. This process ends with the last of them, or with the first that cannot start.
 * @param metricsPorts one port per gateway
 * @param endMs time after a stop signal until remaining gateways are killed, ms
 */
export function superviseGateways(metricsPorts: readonly number[], log: Log, endMs: number): void {
  let isStopping = false;
  /** Whether any has listened: from then on ended gateways are restarted. */
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
        // Either a connection was handed to a process that has just ended, whose `exit` follows; or it could not be started, and no `exit` follows.
        worker.on('error', (err) => {
          log.warn({ err, port }, 'a gateway process could not be reached or started');
          if (worker.process.pid === undefined) resolve(null);
        });
      });
      if (isStopping) return;
      if (!haveListened) process.exit(code ?? 1);
      if (performance.now() - startedMs > STEADY_MS) backoffMs = BACKOFF_MS_MIN;
      log.warn(
        { reason: `exited with ${code}`, port, waitMs: backoffMs },
        'a gateway process exited and will be restarted',
      );
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
