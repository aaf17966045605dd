import { readdir, readFile } from 'node:fs/promises';
import type { Profiler, Runtime } from 'node:inspector';
import { join } from 'node:path';

/** A function of a CPU profile. */
type Frame = Pick<Runtime.CallFrame, 'functionName' | 'url'>;

/** Where a function belongs; the first that fits. */
const PARTS: readonly (readonly [part: string, fits: (frame: Frame) => boolean])[] = [
  ['garbage collection', ({ functionName }) => functionName === '(garbage collector)'],
  ['idle', ({ functionName }) => functionName === '(idle)'],
  [
    'sockets: the writes themselves',
    ({ functionName, url }) =>
      url === '' && /^(writev|writeBuffer|writeUtf8String|writeLatin1String)$/.test(functionName),
  ],
  [
    'the profiler',
    ({ functionName, url }) => (url === '' && functionName === 'dispatch') || url.endsWith('profiled.ts'),
  ],
  [
    'store driver and BSON',
    ({ url }) => /node_modules\/(mongodb|bson|mongoose|mongodb-connection-string-url|kareem|mquery|sift)\//.test(url),
  ],
  [
    'zod (guards of request and answer, events)',
    ({ url }) => /node_modules\/zod\/|contracts\/dist\/(http|events|rpc|endpoint)/.test(url),
  ],
  [
    'Koa, router and body parser',
    ({ url }) =>
      /node_modules\/(koa|@koa|koa-compose|co-body|raw-body|inflation|path-to-regexp|content-type|type-is|accepts|statuses|http-errors)/.test(
        url,
      ),
  ],
  ['session check', ({ url }) => /kit\/dist\/session|node_modules\/jose\//.test(url)],
  ['NATS', ({ url }) => /node_modules\/@nats-io\//.test(url)],
  [
    'figures and logs',
    ({ url }) => /node_modules\/(prom-client|pino|@opentelemetry)|kit\/dist\/(metrics|log)/.test(url),
  ],
  ['rate limits', ({ url }) => /rate-limit/.test(url)],
  ['kit', ({ url }) => /services\/kit\/|@cord\/kit/.test(url)],
  ['ledger, node and rules', ({ url }) => /services\/(mining|contracts)\//.test(url)],
  ['Node: http, net, streams, timers', ({ url }) => url.startsWith('node:')],
  ['Node: native code and the program', () => true],
];

/**
 * Self time by part of the newest CPU profile in a folder.
 * @returns microseconds of all time that was not idle, largest first
 */
export async function profileParts(folder: string): Promise<{ part: string; micros: number }[]> {
  const [file] = (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile'));
  if (!file) return [];
  const profile: Profiler.Profile = JSON.parse(await readFile(join(folder, file), 'utf8'));
  const { nodes, samples = [], timeDeltas = [] } = profile;
  const partOf = new Map(nodes.map(({ id, callFrame }) => [id, PARTS.find(([, fits]) => fits(callFrame))?.[0] ?? '']));
  const micros = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const part = partOf.get(id) ?? '';
    micros.set(part, (micros.get(part) ?? 0) + (timeDeltas[index] ?? 0));
  }
  for (const part of ['idle', 'the profiler']) micros.delete(part);
  return [...micros].map(([part, value]) => ({ part, micros: value })).sort((a, b) => b.micros - a.micros);
}
