import { SERVICES } from '../../../dev/starter/services.ts';
import type { Checks } from '../../kit/checks.ts';
import type { Deployment } from './deployment.ts';

const FILE = '/backup/cord.tar';
const PASSPHRASE = '-e BACKUP_PASSPHRASE=of-a-backup-of-the-proof';

/** Makes a backup while users mine and restores it after the services have stopped, with the README's commands. */
export async function backup(deployment: Deployment, checks: Checks): Promise<void> {
  const data = (...args: string[]) =>
    deployment.compose(`run --rm ${PASSPHRASE} data infra/cli/cord.mjs data ${args.join(' ')}`);
  await checks.needed('a backup is made while users mine', async () =>
    console.log(await data('export', FILE, '--with-secrets')),
  );
  await checks.step('a restore is refused while a service runs', async () => {
    const printed = await data('import', FILE, '--yes').catch(String);
    if (!printed.includes('is still running')) throw new Error(printed);
  });
  await checks.needed('the restore replaces all data after the services were stopped', async () => {
    await deployment.compose(`stop gateway ${SERVICES.join(' ')}`);
    console.log(await data('import', FILE, '--yes'));
    await deployment.compose('up -d');
    await deployment.healthy();
  });
  await checks.step('after the restore, a user who signs in again has all earnings', async () =>
    console.log((await deployment.visit('visit.ts', 'restored')).trimEnd()),
  );
}
