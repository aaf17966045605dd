import { rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { copyWithFault, type Fault, fileOf } from '@cord/kit/testing/fault-copies';

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

const CACHE = fileURLToPath(new URL('../../.cache/simulation/', import.meta.url));

/** Loads the service's own code. */
export const realModules = (): Promise<Modules> => load(fileOf);

/** Loads a copy with one fault in a file below services/mining or services/kit. */
export function brokenModules({ file, ...fault }: Fault): Promise<Modules> {
  const below = file.startsWith('kit/') ? file : `mining/${file}`;
  return load(copyWithFault({ ...fault, file: below }, { cache: CACHE, folders: ['kit', 'mining'] }));
}

export const removeCopies = (): void => rmSync(CACHE, { recursive: true, force: true });

/** @param fileAt returns the file to import for a path below `services` */
async function load(fileAt: (path: string) => string): Promise<Modules> {
  const at = (path: string) => import(/* @vite-ignore */ pathToFileURL(fileAt(path)).href);
  const [ledger, write, leaves, node, factors, series, states] = await Promise.all([
    at('mining/ledger/ledger.ts'),
    at('mining/ledger/account-write.ts'),
    at('mining/roots/leaves.ts'),
    at('mining/node/steps.ts'),
    at('mining/ledger/factors.ts'),
    at('mining/ledger/series.ts'),
    at('kit/nats/states.ts'),
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
