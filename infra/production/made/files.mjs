import { natsConfig } from './nats.mjs';
import { variablesPage } from './variables.mjs';

const HEAD =
  '# Made by `npx cord manifests` from services/contracts/manifests: change these, or infra/production/made.\n';

/** Every file that is made, by its path below infra/production. @returns {Promise<Map<string, string>>} */
export async function madeFiles() {
  return new Map([
    ['kubernetes/base/nats/nats.conf', HEAD + (await natsConfig())],
    ['../dev/ENVIRONMENT.md', variablesPage()],
  ]);
}
