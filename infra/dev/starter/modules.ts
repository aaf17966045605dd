import { builtModules, builtShell } from '@cord/build/built.ts';
import { folderStore } from '../../deploy/store/folder-store.ts';
import { prune } from '../../deploy/store/prune.ts';
import { type Author, readPointer } from '../../deploy/store/release-line.ts';
import { describeAuthor, switchTo, uploadVersion } from '../../deploy/store/releases.ts';
import { StartError } from './problems.mjs';
import { asStartError } from './refusal.ts';

const AUTHOR: Author = { who: 'npm start', by: 'start' };

/**
 * Publishes modules of the checkout that the store lacks. In local mode it also publishes newer ones, unless a person
 * wrote the last journal line. In production it publishes only modules that were never published.
 * @param report called with what stays unchanged, and why
 * @param except modules under work
 * @returns what was published
 * @throws {StartError} when nothing is built, or this user may not publish there
 */
export async function publishCheckout(
  { local, moduleStore }: { local: boolean; moduleStore: string },
  report: (line: string) => void,
  except: string[] = [],
  built = all(),
): Promise<string> {
  if (built.length === 0) throw new StartError('the shell and the modules are not built: run npm run build.');
  const store = folderStore(moduleStore);
  let published = 0;
  for (const one of built.filter(({ name }) => !except.includes(name))) {
    const before = await readPointer(store, one.name);
    const stays = before && before.version !== one.version && (!local || before.by !== 'start');
    if (stays) {
      report(
        `${one.name} stays at ${before.version} (${describeAuthor(before)}); this checkout has ${one.version}: npx cord module publish ${one.name}`,
      );
      continue;
    }
    // A version in the journal always has its files, even when a person removed them.
    try {
      const facts = await uploadVersion(store, one);
      if (await switchTo(store, one.name, facts, AUTHOR, { unlessPerson: true })) published += 1;
    } catch (error) {
      throw asStartError(error);
    }
  }
  await prune(store, report);
  return published === 0 ? 'unchanged' : `${published} published`;
}

/** The shell comes last: pages of the previous one keep working meanwhile. */
function all() {
  const shell = builtShell();
  return [...builtModules(), ...(shell ? [shell] : [])];
}
