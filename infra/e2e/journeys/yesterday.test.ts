import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fits } from '@cord/deploy/checks/shell';
import { folderStore } from '@cord/deploy/store/folder-store';
import { registryReader } from '@cord/deploy/store/registry';
import { SHELL } from '@cord/deploy/store/release-line';
import { rollBack, switchTo, uploadVersion } from '@cord/deploy/store/releases';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { inProof, visitor } from '../browser.js';
import { type Built, buildRelease, type OtherRelease } from '../other-release.js';
import { api, enter, makeAccount, signIn } from '../people.js';
import { goTo, type Tab } from '../screens.js';
import { type Published, tour, type Watched, watched } from '../tour.js';

const origin = inject('origin');
const store = folderStore(join(inject('dataDir'), 'modules'));
const readRegistry = registryReader(store);
/** Commits or tags, separated by spaces: one whose sdk has this major version, and one whose does not. */
const REFS = (process.env.YESTERDAY ?? 'dfc5eae 9928df3a').split(' ');
/** Timeout in ms for the packages and builds of another release and the visits, on a busy machine. */
const LONG_MS = 1_500_000;
const AUTHOR = { who: 'a journey', by: 'person' as const };
/** Today's shell's text for a module that does not fit; earlier shells only show that it could not be loaded. */
const SHOWN_TODAY = 'It does not work with this version of CORD.';
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cord-yesterday-'));
});
afterAll(async () => {
  if (folder) await rm(folder, { recursive: true, force: true });
});

const builds = new Map<string, Promise<OtherRelease>>();
/** Builds a release on first use. */
function built(ref: string): Promise<OtherRelease> {
  const known = builds.get(ref) ?? buildRelease(ref, join(folder, ref));
  builds.set(ref, known);
  return known;
}

/** Returns what is published now, in a shell with these versions. */
async function publishedFor(carried: Pick<Built, 'sdk' | 'ui'>, shows = ''): Promise<Published> {
  const { modules } = await readRegistry();
  return { modules, shows, fits: (name) => fits(modules[name]!, carried) };
}

/** Checks that an earlier module fits by the major versions of its own shell, whose exports only grow. */
function expectByMajor(release: OtherRelease, today: Pick<Built, 'sdk' | 'ui'>, { fits }: Published): void {
  const major = ({ sdk, ui }: Pick<Built, 'sdk' | 'ui'>) => `${Number.parseInt(sdk, 10)} ${Number.parseInt(ui, 10)}`;
  const isSame = major(release.shell) === major(today);
  expect(release.modules.map(({ name }) => name).filter((name) => fits(name) !== isSame)).toEqual([]);
}

/** Returns faults except the expected report of each module that does not fit and has a tab for this user, who is not an admin. */
function unreported({ faults }: Watched, { modules, fits }: Published): string[] {
  const unfit = Object.keys(modules).filter((name) => !fits(name));
  const namedIn = (fault: string) => unfit.filter((name) => fault.includes(`${name}: wants `));
  const visited = unfit.filter((name) => {
    const tab = modules[name]?.tab as { for: string } | undefined;
    return tab !== undefined && tab.for !== 'admins';
  });
  expect(faults.flatMap(namedIn)).toEqual(expect.arrayContaining(visited));
  return faults.filter((fault) => namedIn(fault).length === 0);
}

async function shellInUse(): Promise<{ version: string; sdk: string; ui: string }> {
  const { shell, sdk, ui } = (await (await fetch(`${origin}/remotes.json`)).json()) as Record<string, string>;
  return { version: shell!, sdk: sdk!, ui: ui! };
}

/** Returns the HTML of the page, which names its build. */
const pageOf = async ({ page }: Watched) => (await page.request.get(origin)).text();
const buildId = (version: string) => version.split('-').at(-1)!;

test('an unknown release is reported by name, with the git command that fetches it', async () => {
  const built = buildRelease('of-another-time', join(folder, 'none'));
  await expect(built).rejects.toThrow(/no commit or tag of-another-time.* git fetch --tags --unshallow/);
});

for (const ref of REFS) {
  inProof(
    `each module of ${ref} in the current shell shows its page and parts, or that it is incompatible; the rest works, and its rollback brings the current module to the open page`,
    async () => {
      const release = await built(ref);
      const today = await shellInUse();
      const before = (await readRegistry()).modules;
      const person = await visitor('desk', { worker: false });
      await enter(person, origin);
      const seen = watched(person.page, origin);
      const switched: string[] = [];
      let all: Published;
      try {
        for (const module of release.modules) {
          await switchTo(store, module.name, await uploadVersion(store, module), AUTHOR);
          switched.push(module.name);
          await tour(seen, await publishedFor(today, SHOWN_TODAY), [module.name]);
        }
        all = await publishedFor(today, SHOWN_TODAY);
        for (const { name, version } of release.modules) expect(all.modules[name]?.version).toBe(version);
        expectByMajor(release, today, all);
        await tour(seen, all);
        for (let name = switched.shift(); name !== undefined; name = switched.shift()) {
          await rollBack(store, name, undefined, AUTHOR);
          await untilBack(seen, name);
        }
      } finally {
        // After a failed visit too: later journeys use the same system.
        for (const name of switched) await rollBack(store, name, undefined, AUTHOR);
      }
      const back = await publishedFor(today, SHOWN_TODAY);
      expect(back.modules).toEqual(before);
      await tour(seen, back);
      expect(unreported(seen, all)).toEqual([]);
      await person.close();
    },
    LONG_MS,
  );

  inProof(
    `in the shell of ${ref} a user signs in, and each current module shows its page and parts, or that it could not be loaded; the rest works, and the rollback brings the current shell`,
    async () => {
      const { shell } = await built(ref);
      const today = await shellInUse();
      await switchTo(store, SHELL, await uploadVersion(store, shell), AUTHOR);
      const person = await visitor('desk', { worker: false });
      const seen = watched(person.page, origin);
      const published = await publishedFor(shell);
      try {
        expect(await shellInUse()).toEqual({ version: shell.version, sdk: shell.sdk, ui: shell.ui });
        await signIn(person.page, origin, await makeAccount(origin, 5.4));
        expect((await api(person.page, 'POST', '/auth/me/welcome')).status).toBeLessThan(300);
        expect(await pageOf(seen)).toContain(buildId(shell.version));
        await tour(seen, published);
      } finally {
        await rollBack(store, SHELL, undefined, AUTHOR);
      }
      expect(unreported(seen, published)).toEqual([]);
      expect(await shellInUse()).toEqual(today);
      await tour(seen, await publishedFor(today, SHOWN_TODAY));
      expect(await pageOf(seen)).toContain(buildId(today.version));
      await person.close();
    },
    LONG_MS,
  );
}

/** Goes to a module's tab and back, without a page load, until it requests the live version. */
async function untilBack({ page, requested }: Watched, name: string): Promise<void> {
  const { tab, version } = (await readRegistry()).modules[name]!;
  // The user is not an admin.
  if (!tab || (tab as { for: string }).for === 'admins') return;
  requested.clear();
  await expect
    .poll(async () => {
      await goTo(page, 'settings');
      await goTo(page, (tab as { id: Tab }).id);
      return [...requested];
    })
    .toContain(`${name} ${version}`);
}
