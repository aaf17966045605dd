import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { keptFrom, solanaRpc } from '@cord/contracts/proof/memos';
import type { DataPlan } from '@cord/kit/collection';
import type { RootRules } from './ledger/roots.js';
import type { ChainRules, PaymentRules } from './payments/chain.js';
import type { Reading } from './store/mongo-source.js';

type Network = typeof import('../../services/rewards/chain/wallet-network.js');

const SERVICES = ['auth', 'mining', 'tasks', 'rewards', 'referrals', 'notices'];

/** Imports a built module of a service; M is `typeof import(...)` of its source. @param root of the checkout */
const built = <M>(root: string, path: string): Promise<M> => import(pathToFileURL(join(root, 'services', path)).href);

/**
 * Returns how documents of all services are read: in the form of this release, whichever release wrote them.
 * @param root of a built checkout
 * @returns a reading that throws for documents that only a newer release can read: a guess could report a false drift or hide a real one
 */
export async function readingOf(root: string): Promise<Reading> {
  const plans = new Map<string, DataPlan>();
  for (const service of SERVICES) {
    const { data } = await built<{ data: DataPlan }>(root, `${service}/dist/data.js`);
    plans.set(service, data);
  }
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
 * Returns rewards' functions for reading and judging transactions at an address.
 * @param root of a built checkout
 * @param now time of the audited system, ms since epoch
 */
export async function chainRules(root: string, rpcUrl: string, now: () => number): Promise<ChainRules> {
  const { createWalletNetwork } = await built<Network>(root, 'rewards/dist/chain/wallet-network.js');
  const { judge, returnsPayment } = await built<PaymentRules>(root, 'rewards/dist/domain/payment.js');
  const { sighting } = createWalletNetwork(rpcUrl, { now });
  return { sighting, judge, returnsPayment, keptFrom: () => keptFrom(solanaRpc(rpcUrl)) };
}

/** Returns mining's functions for the leaves of a day's root. @param root of a built checkout */
export const rootRules = (root: string): Promise<RootRules> => built(root, 'mining/dist/roots/leaves.js');
