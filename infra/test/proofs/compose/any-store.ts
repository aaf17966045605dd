import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ROOT } from '../../../dev/starter/paths.mjs';
import type { Checks } from '../../kit/checks.ts';
import type { Deployment } from './deployment.ts';
import { STORE_VERSION } from './names.ts';
import { serviceOf } from './podman.ts';

const execute = promisify(execFile);
const OUTPUT_MAX = 64 * 1024 ** 2;

/**
 * The store as a replica set of containers with another version, TLS and a password. `cord doctor --suite` and the
 * tests of all services must pass on it by MONGODB_URI, without a store of this machine.
 */
export async function anyStore(deployment: Deployment, checks: Checks): Promise<void> {
  await checks.needed('the stores run as containers', () => deployment.startStores());
  const { uri, authority } = await deployment.storeUri();
  const members = (await deployment.podman.inspect()).filter((one) => /^mongo-\d$/.test(serviceOf(one)));
  const addresses = members.map((one): [string, string] => {
    const [{ IPAddress } = { IPAddress: '' }] = Object.values(one.NetworkSettings.Networks);
    return [serviceOf(one), IPAddress];
  });
  const env = {
    ...process.env,
    ...{ MONGODB_URI: uri, NODE_EXTRA_CA_CERTS: authority, STORE_HOSTS: JSON.stringify(Object.fromEntries(addresses)) },
    NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'store-hosts.mjs'))}`,
  };
  const node = async (...args: string[]) => {
    const options = { cwd: ROOT, env, maxBuffer: OUTPUT_MAX };
    const { stdout } = await execute(process.execPath, args, options).catch((error) => error as { stdout: string });
    return stdout;
  };
  await checks.step(
    'cord doctor accepts version, replica set and encryption, and the conformance suite passes',
    async () => {
      const printed = await node('infra/cli/cord.mjs', 'doctor', '--suite');
      console.log(printed);
      for (const line of [STORE_VERSION, 'cord of 3', 'TLS', 'conformance'])
        if (!printed.includes(line)) throw new Error(`it does not print ${line}:\n${printed.slice(-6_000)}`);
    },
  );
  await checks.step('the tests of all services pass on it', async () => {
    const printed = await node('infra/test/run.mjs', 'services');
    const last = printed.trimEnd().split('\n').at(-1) ?? '';
    console.log(`services: ${last}`);
    if (!/^[1-9]\d* passed, 0 failed$/.test(last)) throw new Error(printed.slice(-20_000));
  });
}
