import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { LOOP_LAG_STEP_MS, METRIC_READ_MS_MAX } from './bounds.js';

/** A service's figures, in a registry of its own. */
export interface Metrics {
  readonly registry: Registry;
  /** Seconds by route (endpoint id) and status. */
  readonly httpSeconds: Histogram<'route' | 'status'>;
  counter<L extends string = never>(name: string, help: string, labels?: readonly L[]): Counter<L>;
  gauge<L extends string = never>(name: string, help: string, labels?: readonly L[]): Gauge<L>;
  /**
   * A gauge that is read when it is asked for; the same name again adds a source to it. A source that fails or takes too
   * long says nothing this time, and keeps no other figure waiting.
   */
  measured<L extends string = never>(
    name: string,
    help: string,
    labels: readonly L[],
    read: () => Promise<readonly Measured<L>[]>,
  ): void;
  histogram<L extends string = never>(
    name: string,
    help: string,
    labels?: readonly L[],
    buckets?: number[],
  ): Histogram<L>;
}

/** One value of a measured gauge. */
export interface Measured<L extends string = string> {
  labels: Record<L, string>;
  value: number;
}

/** @param processFigures memory, CPU and event loop of the process; off where several services share one */
export function createMetrics(service: string, { processFigures = true } = {}): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  if (processFigures) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_LAG_STEP_MS });
  const registers = [registry];
  const sources = new Map<string, Array<() => Promise<readonly Measured[]>>>();
  return {
    registry,
    httpSeconds: new Histogram({
      name: 'cord_http_seconds',
      help: 'Time to answer a request, seconds',
      labelNames: ['route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    // One figure may have several sources, told apart by a label.
    counter: (name, help, labelNames = []) =>
      (registry.getSingleMetric(name) as never) ?? new Counter({ name, help, labelNames, registers }),
    gauge: (name, help, labelNames = []) => new Gauge({ name, help, labelNames, registers }),
    measured(name, help, labelNames, read) {
      const known = sources.get(name);
      if (known) {
        known.push(read);
        return;
      }
      const reads: Array<() => Promise<readonly Measured[]>> = [read];
      sources.set(name, reads);
      new Gauge<string>({
        name,
        help,
        labelNames: [...labelNames],
        registers,
        async collect() {
          const found = await Promise.all(reads.map(inTime));
          this.reset();
          for (const { labels, value } of found.flat()) this.set(labels, value);
        },
      });
    },
    histogram: (name, help, labelNames = [], buckets = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5]) =>
      (registry.getSingleMetric(name) as never) ?? new Histogram({ name, help, labelNames, buckets, registers }),
  };
}

/** What a source says within its time; nothing when it fails. */
async function inTime(read: () => Promise<readonly Measured[]>): Promise<readonly Measured[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Measured[]>((resolve) => {
    timer = setTimeout(() => resolve([]), METRIC_READ_MS_MAX);
  });
  try {
    return await Promise.race([read(), late]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}
