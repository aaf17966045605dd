import { join } from 'node:path';
import { installDependencies } from '../dev/starter/install.mjs';
import type { Candidate } from './candidates/candidate.js';
import { noteHotReload, type Running } from './live-shell.js';
import { startCanary } from './store/canary.js';
import type { ModuleStore } from './store/folder-store.js';
import { prune } from './store/prune.js';
import { Refused } from './store/refused.js';
import { type Author, filesOf, type Line, readPointer } from './store/release-line.js';
import { refuseFrozen, switchTo, uploadVersion } from './store/releases.js';

/** Options of a publish. */
export interface Publishing {
  /** run.json of the target system, when it runs. */
  running: Running | undefined;
  /** Share of the browsers for a canary. */
  share?: number | undefined;
  /** Accepts a shell that does not fit live modules. */
  force?: boolean | undefined;
  report(line: string): void;
}

/**
 * Builds the shell or a module, or takes an existing build; checks it, uploads it and switches to it.
 * @param given its name, or its folder
 * @throws Refused when there is no such module, or it may not be published
 */
export async function publish(store: ModuleStore, given: string, author: Author, options: Publishing): Promise<void> {
  await installDependencies({ development: true });
  const { findCandidate } = await import('./candidates/candidate.js');
  const candidate = await findCandidate(given);
  try {
    await publishCandidate(store, candidate, author, options);
  } finally {
    await candidate.dispose();
  }
}

async function publishCandidate(
  store: ModuleStore,
  { name, prepare }: Candidate,
  author: Author,
  { running, share, force, report }: Publishing,
): Promise<void> {
  const { problemsOfBuild, smokeProblems } = await import('./checks/checks.js');
  const took = stopwatch();
  refuseFrozen(name, await readPointer(store, name));
  const { built, problems } = await prepare();
  const problemsIn = (folder: string) => problemsOfBuild(store, { ...built, folder }, { running, force });
  refuseFor(name, [...problems, ...(await problemsIn(built.folder))]);
  took('built and checked');
  const facts = await uploadVersion(store, built);
  // An earlier upload that never went live may have left other files there.
  refuseFor(name, await problemsIn(join(store.where, filesOf(name, built.version))));
  took('uploaded');
  if (running && process.getuid?.() === 0)
    report(
      'testing in Chromium without its sandbox, because root cannot use it: publish unreviewed code as another user',
    );
  if (running) refuseFor(name, await smokeProblems(store, running.origin, name, facts, report));
  else report('not tested in a browser: no system runs on this data folder');
  took('tested');
  const line =
    share === undefined
      ? await switchTo(store, name, facts, author)
      : await startCanary(store, name, facts, share, author);
  took('switched');
  await prune(store, report);
  report(outcome(name, built.version, line));
  await noteHotReload(running, [name], report);
  report(took.summary());
}

/** Measures the duration of each step. */
function stopwatch() {
  const steps: string[] = [];
  let sinceMs = performance.now();
  const took = (step: string) => {
    const nowMs = performance.now();
    steps.push(`${step} ${((nowMs - sinceMs) / 1000).toFixed(1)} s`);
    sinceMs = nowMs;
  };
  return Object.assign(took, { summary: () => steps.join(', ') });
}

function outcome(name: string, version: string, line: Line | null): string {
  if (!line) return `${name} is at ${version} already`;
  if (line.canary) return `${name} serves ${version} to a share of ${line.canary.share}, ${line.version} to the others`;
  return `${name} is at ${line.version}${line.from ? `; it was at ${line.from}` : ''}`;
}

function refuseFor(name: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new Refused(`${name} is not published:\n  ${problems.join('\n  ')}`);
}
