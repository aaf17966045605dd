import { installDependencies } from '../dev/starter/install.mjs';
import { isHotReloaded } from './live-shell.mjs';
import { startCanary } from './store/canary.mjs';
import { prune } from './store/prune.mjs';
import { Refused } from './store/refused.mjs';
import { readPointer } from './store/release-line.mjs';
import { refuseFrozen, switchTo, uploadVersion } from './store/releases.mjs';

/**
 * Builds the shell or a module, or takes what its own build made, checks it, uploads it and switches to it.
 * @param {import('./store/folder-store.mjs').ModuleStore} store
 * @param {string} given its name, or its folder
 * @param {import('./store/release-line.mjs').Word} word
 * @param {object} options
 * @param {any} options.running run.json of the system that it is for, where one runs
 * @param {number} [options.share] of the browsers: as a canary only
 * @param {boolean} [options.force] a shell may be in use that modules in use do not fit
 * @param {(line: string) => void} options.say
 * @throws Refused where there is no such module, or it may not be published
 */
export async function publish(store, given, word, options) {
  await installDependencies({ development: true });
  const { findCandidate } = await import('./candidates/candidate.mjs');
  const candidate = await findCandidate(given);
  try {
    await publishCandidate(store, candidate, word, options);
  } finally {
    await candidate.dispose();
  }
}

async function publishCandidate(store, { name, prepare }, word, { running, share, force, say }) {
  const { problemsOfBuild, smokeProblems } = await import('./checks/checks.mjs');
  const took = stopwatch();
  refuseFrozen(name, await readPointer(store, name));
  const { built, problems } = await prepare();
  refuseFor(name, [...problems, ...(await problemsOfBuild(store, built, { running, force }))]);
  took('built and checked');
  const facts = await uploadVersion(store, built);
  took('uploaded');
  if (running && process.getuid?.() === 0)
    say(
      'tried in Chromium without its sandbox, which root cannot have: publish what nobody has reviewed as another user',
    );
  if (running) refuseFor(name, await smokeProblems(store, running.origin, name, facts));
  else say('not tried in a browser: no system runs on this data folder');
  took('tried');
  const line =
    share === undefined ? await switchTo(store, name, facts, word) : await startCanary(store, name, facts, share, word);
  took('switched');
  await prune(store);
  say(outcome(name, built.version, line));
  if (await isHotReloaded(running, name))
    say(`pages of this system still show the sources of ${name}: npm run dev serves them, until it ends`);
  say(took.told());
}

/** How long each step took, for whoever waits for it. */
function stopwatch() {
  const steps = [];
  let sinceMs = performance.now();
  const took = (step) => {
    const nowMs = performance.now();
    steps.push(`${step} ${((nowMs - sinceMs) / 1000).toFixed(1)} s`);
    sinceMs = nowMs;
  };
  return Object.assign(took, { told: () => steps.join(', ') });
}

function outcome(name, version, line) {
  if (!line) return `${name} is at ${version} already`;
  if (line.canary)
    return `${name} gives ${version} to a share of ${line.canary.share}; the others have ${line.version}`;
  return `${name} is at ${line.version}${line.from ? `; it was at ${line.from}` : ''}`;
}

function refuseFor(name, problems) {
  if (problems.length > 0) throw new Refused(`${name} is not published:\n  ${problems.join('\n  ')}`);
}
