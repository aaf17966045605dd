import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** A service's figures, in a registry of its own. */
export interface Metrics {
  readonly registry: Registry;
  /** Seconds by route (endpoint id) and status. */
  readonly httpSeconds: Histogram<'route' | 'status'>;
  counter<L extends string = never>(name: string, help: string, labels?: readonly L[]): Counter<L>;
  gauge<L extends string = never>(name: string, help: string, labels?: readonly L[]): Gauge<L>;
  histogram<L extends string = never>(
    name: string,
    help: string,
    labels?: readonly L[],
    buckets?: number[],
  ): Histogram<L>;
}

/** @param processFigures memory, CPU and event loop of the process; off where several services share one */
export function createMetrics(service: string, { processFigures = true } = {}): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  if (processFigures) collectDefaultMetrics({ register: registry });
  const registers = [registry];
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
    histogram: (name, help, labelNames = [], buckets = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5]) =>
      new Histogram({ name, help, labelNames, buckets, registers }),
  };
}
