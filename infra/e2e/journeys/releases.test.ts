import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { smokeProblems } from '@cord/deploy/checks/smoke';
import { folderStore } from '@cord/deploy/store/folder-store';
import { registryReader } from '@cord/deploy/store/registry';
import { rollBack, switchTo, uploadVersion } from '@cord/deploy/store/releases';
import { expect, inject, test } from 'vitest';
import { inProof, visitor } from '../browser.js';
import { enter } from '../people.js';
import { goTo } from '../screens.js';

const origin = inject('origin');
const modules = join(inject('dataDir'), 'modules');
const store = folderStore(modules);
const NAME = 'mfe_tasks';
const AUTHOR = { who: 'a journey', by: 'person' as const };

/** The colour that the other build sets in each of its styles. */
const OTHERS_COLOUR = 'rgb(1, 2, 3)';

/** Writes the chunks' current hashes into entry and manifest. */
async function nameHashes(folder: string, before: ReadonlyMap<string, string>): Promise<void> {
  for (const name of ['remoteEntry.js', 'mf-manifest.json']) {
    let text = await readFile(join(folder, name), 'utf8');
    for (const [file, hash] of before) text = text.replaceAll(hash, await sha256Of(file));
    await writeFile(join(folder, name), text);
  }
}

async function sha256Of(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('base64');
}

/** Makes another build of the live version that differs in build id and a colour. */
async function anotherBuild() {
  const { version, sdk, ui = '' } = (await registryReader(store)()).modules[NAME]!;
  const [release, id] = version.split('-') as [string, string];
  const otherId = [...id].reverse().join('');
  const folder = await mkdtemp(join(tmpdir(), 'cord-release-'));
  await cp(join(modules, NAME, version), folder, { recursive: true });
  const hashes = new Map<string, string>();
  for (const name of await readdir(folder, { recursive: true })) {
    const file = join(folder, name);
    if (/\.(br|gz|map)$/.test(name)) await rm(file);
    else if (/\.(js|css)$/.test(name)) {
      hashes.set(file, await sha256Of(file));
      const text = (await readFile(file, 'utf8')).replaceAll(id, otherId);
      await writeFile(
        file,
        name.endsWith('.css') ? text.replace(/(\.tasks-[\w-]+)\{/g, `$1{outline-color:${OTHERS_COLOUR};`) : text,
      );
    }
  }
  await nameHashes(folder, hashes);
  return { name: NAME, version: `${release}-${otherId}`, sdk, ui, folder, before: version };
}

test('an open page loads a published version, and a rollback, at its next visit of the tab', async () => {
  const person = await visitor();
  const { page } = person;
  const manifests: string[] = [];
  page.on('request', (request) => {
    const [, version] = /\/modules\/mfe_tasks\/([^/]+)\/mf-manifest\.json$/.exec(request.url()) ?? [];
    if (version) manifests.push(version);
  });
  const heading = page.getByRole('heading', { name: 'Task Center' });
  /** Goes to the tab and back until that version is mounted. */
  const visitUntil = (version: string) =>
    expect
      .poll(async () => {
        await goTo(page, 'dashboard');
        await goTo(page, 'tasks');
        await heading.waitFor();
        return manifests;
      })
      .toContain(version);

  /** Polls a computed colour of the page. */
  const colour = () =>
    expect.poll(() => page.evaluate(`getComputedStyle(document.querySelector('main [class*="tasks-"]')).outlineColor`));

  await enter(person, origin);
  await goTo(page, 'tasks');
  await heading.waitFor();
  const { folder, before, ...build } = await anotherBuild();
  expect(new Set(manifests)).toEqual(new Set([before]));
  await switchTo(store, NAME, await uploadVersion(store, { ...build, folder }), AUTHOR);
  await visitUntil(build.version);
  await colour().toBe(OTHERS_COLOUR);
  manifests.length = 0;
  await rollBack(store, NAME, undefined, AUTHOR);
  await visitUntil(before);
  // The other build's styles are still in the page, after this build's.
  await colour().not.toBe(OTHERS_COLOUR);
  expect(person.problems).toEqual([]);
  await rm(folder, { recursive: true });
  await person.close();
});

/** Once the page is complete, it gets tasks that it cannot show. */
const LATE_FAULT = `
  const before = globalThis.fetch;
  globalThis.fetch = async (...call) => {
    const response = await before(...call);
    if (!String(call[0]?.url ?? call[0]).includes('/tasks')) return response;
    await new Promise((done) => setTimeout(done, 2_000));
    return Response.json([null]);
  };
`;

inProof(
  'a version that throws when it is evaluated, or after its data has loaded, is found before it is used',
  async () => {
    const { folder, before: _before, ...build } = await anotherBuild();
    const facts = async (letter: string, text: string) => {
      const version = `${build.version.slice(0, -1)}${letter}`;
      const page = (await readdir(join(folder, 'assets'))).find((name) => /expose_page\.\w+\.js$/.test(name))!;
      const file = join(folder, 'assets', page);
      const whole = await readFile(file, 'utf8');
      /** A browser refuses a chunk whose hash differs from its entry's. */
      const write = async (content: string) => {
        const before = await sha256Of(file);
        await writeFile(file, content);
        await nameHashes(folder, new Map([[file, before]]));
      };
      await write(`${text}${whole}`);
      const uploaded = await uploadVersion(store, { ...build, version, folder });
      await write(whole);
      return uploaded;
    };
    const problemsOf = (tried: Awaited<ReturnType<typeof facts>>) =>
      smokeProblems(store, origin, NAME, tried, () => undefined);
    expect(await problemsOf(await facts('s', ''))).toEqual([]);
    const thrown = await problemsOf(await facts('t', 'throw new Error("at evaluation");'));
    expect(thrown.join('\n')).toContain('at evaluation');
    const late = await problemsOf(await facts('u', LATE_FAULT));
    expect(late.join('\n')).toContain('mfe_tasks: the page threw');
    expect((await registryReader(store)()).modules[NAME]?.version).not.toContain(build.version.slice(0, -1));
    await rm(folder, { recursive: true });
  },
);
