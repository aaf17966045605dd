import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The code under simulation: the service's own files, or a copy with one deliberate fault. */
export interface Modules {
  createLedger: typeof import('../../ledger/ledger.js').createLedger;
  accountWrite: typeof import('../../ledger/account-write.js').accountWrite;
  presentLeaf: typeof import('../../roots/leaves.js').presentLeaf;
  node: typeof import('../../node/steps.js');
  factors: typeof import('../../ledger/factors.js');
  series: typeof import('../../ledger/series.js');
  createStatePublisher: typeof import('@cord/kit/nats/states').createStatePublisher;
}

/** One deliberate fault: a place in a file that must stand there exactly once, and what replaces it. */
export interface Fault {
  name: string;
  file: string;
  from: string;
  to: string;
  /** Where most seeds miss it: one that caught it, at which `npm test` begins to look; a proof begins at the first. */
  seed?: number;
}

const service = new URL('../../', import.meta.url);
/** What a root needs of an account. */
const LEAVES = 'roots/leaves.ts';
/** The publisher of states, which is the kit's, and all that it needs. */
const PUBLISHER = ['kit/nats/states.ts', 'kit/bounds.ts', 'kit/lru.ts'] as const;

/** The service's own code. */
export function realModules(): Promise<Modules> {
  return load(service, new URL('../', service));
}

/**
 * The same code with one fault in it, imported from a copy.
 * @throws Error when the place is not there exactly once, so that a fault cannot quietly stop being one.
 */
export async function brokenModules(fault: Fault): Promise<Modules> {
  const copy = new URL(`.cache/simulation/${fault.name.replaceAll(/[^a-z]+/gi, '-')}/`, service);
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  const sources = (path: string) => !path.endsWith('.test.ts');
  for (const folder of ['ledger/', 'node/']) {
    cpSync(fileURLToPath(new URL(folder, service)), fileURLToPath(new URL(folder, copy)), {
      recursive: true,
      filter: sources,
    });
  }
  cpSync(fileURLToPath(new URL(LEAVES, service)), fileURLToPath(new URL(LEAVES, copy)));
  for (const path of PUBLISHER)
    cpSync(fileURLToPath(new URL(`../${path}`, service)), fileURLToPath(new URL(path, copy)));
  const file = fileURLToPath(new URL(fault.file, copy));
  const parts = readFileSync(file, 'utf8').split(fault.from);
  if (parts.length !== 2) throw new Error(`${fault.name}: the place stands ${parts.length - 1} times in ${fault.file}`);
  writeFileSync(file, parts.join(fault.to));
  return load(copy, copy);
}

async function load(root: URL, kit: URL): Promise<Modules> {
  const at = (path: string, from = root) =>
    import(/* @vite-ignore */ pathToFileURL(fileURLToPath(new URL(path, from))).href);
  const [ledger, write, leaves, node, factors, series, states] = await Promise.all([
    at('ledger/ledger.ts'),
    at('ledger/account-write.ts'),
    at(LEAVES),
    at('node/steps.ts'),
    at('ledger/factors.ts'),
    at('ledger/series.ts'),
    at('kit/nats/states.ts', kit),
  ]);
  return {
    createLedger: ledger.createLedger,
    accountWrite: write.accountWrite,
    presentLeaf: leaves.presentLeaf,
    node,
    factors,
    series,
    createStatePublisher: states.createStatePublisher,
  };
}
