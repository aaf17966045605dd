import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { keptFrom, solanaRpc } from '@cord/contracts/proof/memos';
import type { DataPlan } from '@cord/kit/collection';
import type { RootRules } from './ledger/roots.js';
import type { ChainRules } from './payments/chain.js';
import type { Reading } from './store/mongo-source.js';

const SERVICES = ['auth', 'mining', 'tasks', 'rewards', 'referrals', 'notices'];

/** A module of a service, as it is built. @param root of the checkout */
const built = (root: string, path: string) => import(pathToFileURL(join(root, 'services', path)).href);

/**
 * How the documents of all services are read, whatever release wrote them: as this one has them.
 * @param root of a checkout that is built
 * @returns a reading that throws for what only a newer release reads: a guess would be a drift that there is not, or hide one that there is
 */
export async function readingOf(root: string): Promise<Reading> {
  const plans = new Map<string, DataPlan>();
  for (const service of SERVICES) plans.set(service, (await built(root, `${service}/dist/data.js`)).data);
  return (service, collection) => {
    const declared = plans.get(service)?.find(({ name }) => name === collection);
    if (!declared) return (stored) => stored;
    return (stored) => {
      try {
        return declared.read(stored);
      } catch (error) {
        throw new Error(`${collection} ${(stored as { _id?: string })._id}: ${(error as Error).message}`);
      }
    };
  };
}

/**
 * How rewards reads the chain at an address, and judges what it reads.
 * @param root of a checkout that is built
 * @param now the time of the system that is audited, ms since epoch
 */
export async function chainRules(root: string, rpcUrl: string, now: () => number): Promise<ChainRules> {
  const { createWalletNetwork } = await built(root, 'rewards/dist/chain/wallet-network.js');
  const { judge, bringsBack } = await built(root, 'rewards/dist/domain/payment.js');
  const { sighting } = createWalletNetwork(rpcUrl, { now });
  return { sighting, judge, bringsBack, keptFrom: () => keptFrom(solanaRpc(rpcUrl)) };
}

/** How mining makes the leaves of a day's root. @param root of a checkout that is built */
export const rootRules = (root: string): Promise<RootRules> => built(root, 'mining/dist/roots/leaves.js');
