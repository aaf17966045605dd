import leaderboard from '../../mfe-leaderboard/package.json';
import mining from '../../mfe-mining/package.json';
import referrals from '../../mfe-referrals/package.json';
import tasks from '../../mfe-tasks/package.json';
import wallet from '../../mfe-wallet/package.json';
import { createRegistry, type Registry } from '../federation/registry';

const release = (name: string) => ({ version: '1', entry: `/modules/${name}/1/mf-manifest.json`, sdk: '^1.0.0' });

/** Registry response with the modules of this checkout. */
export const PUBLISHED = {
  version: '1',
  modules: {
    mfe_leaderboard: { ...release('mfe_leaderboard'), ...leaderboard.cord },
    mfe_mining: { ...release('mfe_mining'), ...mining.cord },
    mfe_referrals: { ...release('mfe_referrals'), ...referrals.cord },
    mfe_tasks: { ...release('mfe_tasks'), ...tasks.cord },
    mfe_wallet: { ...release('mfe_wallet'), ...wallet.cord },
  },
};

/** Creates a registry embedded in the page; `next` responds to further reads. */
export function testRegistry(
  inPage: unknown = PUBLISHED,
  next: () => Promise<Response> = async () => Response.json(inPage),
): Registry {
  return createRegistry({ fetch: next, versions: { sdk: '1.0.0', ui: '1.0.0' }, lotOf: () => 0.5, inPage });
}
