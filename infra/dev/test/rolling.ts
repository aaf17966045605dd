import { cp, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../starter/paths.mjs';

/**
 * Builds a changed service outside the checkout, as another team would.
 * @param file in its folder `http`
 * @param changes replacements in the file
 * @returns its folder
 */
export async function changedIn(
  place: string,
  service: string,
  file: string,
  changes: [string | RegExp, string][],
): Promise<string> {
  const folder = await mkdtemp(join(place, 'other-'));
  const source = join(ROOT, 'services', service);
  await cp(join(source, 'dist'), join(folder, 'dist'), { recursive: true });
  await cp(join(source, 'package.json'), join(folder, 'package.json'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const path = join(folder, 'dist/http', file);
  let text = await readFile(path, 'utf8');
  for (const [from, to] of changes) {
    const before = text;
    text = text.replace(from, to);
    if (text === before) throw new Error(`${path} has no ${from}`);
  }
  await writeFile(path, text);
  return folder;
}

const PAUSE_MS = 20;

/** Makes calls one after the other until it is ended; retries a failed one once. */
export function trickle(call: () => Promise<{ status: number }>) {
  const calls = { made: 0, unmended: [] as string[], isOver: false };
  const once = () => call().then(({ status }) => (status < 500 ? '' : String(status)), String);
  const going = (async () => {
    while (!calls.isOver) {
      calls.made += 1;
      const first = await once();
      if (first !== '') {
        const second = await once();
        if (second !== '') calls.unmended.push(`${first}, then ${second}`);
      }
      await sleep(PAUSE_MS);
    }
  })();
  return {
    async end() {
      calls.isOver = true;
      await going;
      return { made: calls.made, unmended: calls.unmended };
    },
  };
}
