import { stringify } from 'yaml';
import { SERVICES } from '../../dev/starter/services.mjs';
import { natsConfig } from './nats.mjs';
import { commonPolicies, servicePolicy } from './network.mjs';
import { serviceObjects } from './service.mjs';
import { variablesPage } from './variables.mjs';

const HEAD =
  '# Made by `npm run manifests` from services/contracts/manifests: change these, or infra/production/made.\n';

/** Every file that is made, by its path below infra/production. @returns {Promise<Map<string, string>>} */
export async function madeFiles() {
  return new Map([
    ['kubernetes/base/nats/nats.conf', HEAD + (await natsConfig())],
    ['kubernetes/base/made/network.yaml', documents(commonPolicies())],
    ['../dev/ENVIRONMENT.md', variablesPage()],
    ...SERVICES.map((name) => [
      `kubernetes/base/made/${name}.yaml`,
      documents([...serviceObjects(name), servicePolicy(name)]),
    ]),
  ]);
}

/** Without references, so that each object is whole by itself. */
function documents(objects) {
  return HEAD + objects.map((one) => stringify(one, { aliasDuplicateObjects: false })).join('---\n');
}
