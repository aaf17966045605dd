import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Argument, Command, Option } from 'commander';
import { buildNodePackages } from '../dev/starter/build.ts';
import { StartError } from '../dev/starter/problems.mjs';
import { refusing } from './system.ts';

/** `cord secrets`: creates the secrets of a deployment (infra/production/README.md). */
export function secretsCommand(): Command {
  return new Command('secrets')
    .summary('create the secrets of a deployment')
    .description(
      'Creates the missing secrets of a deployment, one file each: FOLDER/<who>/<name>. Compose reads them there, Kubernetes ' +
        'gets a Secret for each <who>. Existing files stay. Secrets issued by others are left empty, and listed.',
    )
    .addArgument(new Argument('<folder>'))
    .addOption(
      new Option(
        '--tombstone-key <file>',
        'the key of an existing system, <data>/secrets/tombstone-key; it may never change',
      ),
    )
    .action(
      refusing(async (folder: string, { tombstoneKey: file }: { tombstoneKey?: string }) => {
        const tombstoneKey = file === undefined ? undefined : await keyIn(file);
        await buildNodePackages();
        const { makeSecrets } = await import('../production/secrets.ts');
        const { made, empty } = await makeSecrets(resolve(folder), tombstoneKey === undefined ? {} : { tombstoneKey });
        console.log(`${made.length} made${empty.length > 0 ? `; fill in: ${empty.join(', ')}` : ''}`);
      }),
    );
}

/** @throws {StartError} when the key is missing or empty: anybody could derive the signature key of an empty one */
async function keyIn(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new StartError(`--tombstone-key: ${error.message}`);
  });
  if (text.trim() === '') throw new StartError(`--tombstone-key: ${file} is empty`);
  return text.trim();
}

/** `cord manifests`: writes the files of infra/production that are generated from the services' manifests. */
export function manifestsCommand(): Command {
  const manifests = new Command('manifests')
    .summary('write or check the files generated from the manifests of the services')
    .description('The files of infra/production that are generated from the manifests of the services.');
  manifests
    .command('write', { isDefault: true })
    .description('writes those that differ')
    .action(refusing(() => run(true)));
  manifests
    .command('check')
    .description('lists those that differ')
    .action(refusing(() => run(false)));
  return manifests;
}

async function run(write: boolean): Promise<void> {
  await buildNodePackages();
  const { writeManifests } = await import('../production/made/manifests.ts');
  console.log(await writeManifests(write));
}
