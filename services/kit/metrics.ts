import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { LOOP_LAG_STEP_MS, METRIC_READ_MS_MAX } from './bounds.js';
import { BUILD } from './metrics/build.js';
import { type LabelOf, type MetricDefinition, type MetricName, metricsOf, type NameOf } from './metrics/table.js';

/** A process's figures: its part of `metrics/table.ts`, in a registry of its own. */
export interface Metrics {
  readonly registry: Registry;
  counter<N extends NameOf<'counter'>>(name: N): Counter<LabelOf<N>>;
  histogram<N extends NameOf<'histogram'>>(name: N): Histogram<LabelOf<N>>;
  /**
   * Adds a source to a gauge that is read on request. A source that fails or is too slow has no sample this time, and
   * delays no other figure.
   */
  measured<N extends NameOf<'gauge'>>(name: N, read: Read<LabelOf<N>>): void;
}

/** One sample of a gauge. */
interface Measured<L extends string = string> {
  labels: Record<L, string>;
  value: number;
}

type Read<L extends string = string> = () => Promise<readonly Measured<L>[]>;

/** The single sample of a gauge without labels. */
export const one = (value: number): readonly Measured<never>[] => [{ labels: {} as Record<never, string>, value }];

/**
 * @param process its name in the table
 * @param processFigures memory, CPU and event loop of the process; off when several services share one
 */
export function createMetrics(process: string, { processFigures = true } = {}): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service: process });
  if (processFigures) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_LAG_STEP_MS });
  const sources = new Map<MetricName, Read[]>();
  for (const [name, definition] of metricsOf(process))
    registerMetric(registry, name, definition, () => sources.get(name) ?? []);
  const findMetric = (name: MetricName) => {
    const found = registry.getSingleMetric(name);
    if (!found) throw new TypeError(`${name} is not a metric of ${process}: see metrics/table.ts`);
    return found as never;
  };
  const metrics: Metrics = {
    registry,
    counter: findMetric,
    histogram: findMetric,
    measured(name, read) {
      findMetric(name);
      sources.set(name, [...(sources.get(name) ?? []), read as Read]);
    },
  };
  metrics.measured('cord_build_info', async () => [{ labels: BUILD, value: 1 }]);
  return metrics;
}

function registerMetric(
  registry: Registry,
  name: string,
  definition: MetricDefinition,
  sources: () => readonly Read[],
): void {
  const { type, help, labels, buckets } = definition;
  const common = { name, help, labelNames: [...labels], registers: [registry] };
  if (type === 'counter') new Counter(common);
  else if (type === 'histogram') new Histogram(buckets ? { ...common, buckets: [...buckets] } : common);
  else {
    new Gauge<string>({
      ...common,
      async collect() {
        const found = (await Promise.all(sources().map(readWithinTimeout))).flat();
        this.reset();
        // Unknown: no sample instead of 0.
        if (found.length === 0 && labels.length === 0) this.remove();
        for (const { labels: of, value } of found) this.set(of, value);
      },
    });
  }
}

/** Returns the samples of a source; none when it fails or is late. */
async function readWithinTimeout(read: Read): Promise<readonly Measured[]> {
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
