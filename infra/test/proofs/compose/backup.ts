import { SERVICES } from '../../../dev/starter/services.ts';
import type { Checks } from '../../kit/checks.ts';
import type { Deployment } from './deployment.ts';

const FILE = '/backup/cord.tar';
const PASSPHRASE = '-e BACKUP_PASSPHRASE=of-a-backup-of-the-proof';

/** Makes a backup while users mine and restores it after the services have stopped, with the README's commands. */
export async function backup(deployment: Deployment, checks: Checks): Promise<void> {
  const data = (...args: string[]) =>
    deployment.compose(`run --rm ${PASSPHRASE} data infra/cli/cord.mjs data ${args.join(' ')}`);
  await checks.needed('a backup is made while people mine', async () =>
    console.log(await data('export', FILE, '--with-secrets')),
  );
  await checks.step('no restore begins while a service runs', async () => {
    const printed = await data('import', FILE, '--yes').catch(String);
    if (!printed.includes('still runs')) throw new Error(printed);
  });
  await checks.needed('the restore replaces all data once the services have stopped', async () => {
    await deployment.compose(`stop gateway ${SERVICES.join(' ')}`);
    console.log(await data('import', FILE, '--yes'));
    await deployment.compose('up -d');
    await deployment.healthy();
  });
  await checks.step('after it who signs in again has what was earned', async () =>
    console.log((await deployment.visit('visit.ts', 'restored')).trimEnd()),
  );
}
