import { requireBinary } from '../dev/starter/binaries.mjs';
import { buildNodePackages, buildWeb } from '../dev/starter/build.mjs';
import { natsBinary } from '../dev/starter/nats.mjs';
import { chromiumBinary } from './chromium.mjs';
import { cpuMsUntilNow } from './cpu-time.mjs';
import { endGroup, runSuite } from './run-suite.mjs';
import { sharedStore } from './shared-store.mjs';
import { filesBySuite } from './suites.mjs';

const PROGRAMS = {
  'nats-server': natsBinary,
  chromium: chromiumBinary,
  promtool: () =>
    requireBinary({
      name: 'promtool',
      debianPackage: 'prometheus',
      otherwise: 'Install it, or run as root on Debian.',
    }),
  nginx: () =>
    requireBinary({ name: 'nginx', debianPackage: 'nginx', otherwise: 'Install it, or run as root on Debian.' }),
  strace: () =>
    requireBinary({ name: 'strace', debianPackage: 'strace', otherwise: 'Install it, or run as root on Debian.' }),
};

/**
 * @param {import('./suites.mjs').Suite[]} given those to run
 * @param {{among: import('./suites.mjs').Suite[], atOnce: number, folders?: string[]}} how the list that they are of (a file
 *   belongs to the first of it that accepts it), how many run side by side, and whose files alone: then suites that have none
 *   are left out, and commands are, too
 * @returns {Promise<number>} the exit code: 1 when a test failed or a suite had none
 */
export async function runSuites(given, { among, atOnce, folders }) {
  const startedMs = Date.now();
  const children = new Set();
  const files = filesIn(folders, await filesBySuite(among));
  const suites = folders ? given.filter(({ name }) => files.has(name)) : given;
  const needs = new Set(suites.flatMap((suite) => suite.needs ?? []));
  await prepare(needs);
  const store = needs.has('store') ? await sharedStore() : undefined;
  const end = (signal) => {
    for (const child of children) endGroup(child, signal);
    store?.kill();
  };
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      end('SIGKILL');
      process.exit(130);
    });
  }
  const outcomes = [];
  try {
    const env = suiteEnvironment(store);
    const onChild = (child) => {
      children.add(child);
      child.once('close', () => children.delete(child));
    };
    const waiting = suites.values();
    const work = async () => {
      for (const suite of waiting) {
        const outcome = await runSuite(suite, {
          files: files.get(suite.name) ?? [],
          env: { ...env, ...suite.env },
          onChild,
        });
        report(suite, outcome);
        outcomes.push(outcome);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  } finally {
    await store?.stop();
  }
  return closing(outcomes, startedMs);
}

/** Of the files of each suite those below the folders; suites that keep none are gone. */
function filesIn(folders, bySuite) {
  if (!folders) return bySuite;
  const kept = [...bySuite].map(([name, files]) => [
    name,
    files.filter((file) => folders.some((folder) => file.startsWith(`${folder}/`))),
  ]);
  return new Map(kept.filter(([, files]) => files.length > 0));
}

async function prepare(needs) {
  const step = async (title, work) => {
    const startedMs = Date.now();
    await work();
    console.log(`${title.padEnd(40)} ${seconds(Date.now() - startedMs)}`);
  };
  await step('programs', async () => {
    for (const name of needs) await PROGRAMS[name]?.();
  });
  await step('services compiled', buildNodePackages);
  if (needs.has('web')) await step('shell and modules built', buildWeb);
}

/** Suites start from a plain environment: what a developer has exported for a running system must not leak in. */
function suiteEnvironment(store) {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(CORD_|DISCORD_|SOLANA_|COMPENSATION|PORT$|HOST$|PUBLIC_ORIGIN$|TRUSTED_PROXIES$|RATE_LIMIT_SCALE$)/.test(
        name,
      ),
  );
  const backend = store ? { CORD_TEST_BACKEND: JSON.stringify({ mongodbUri: store.uri }) } : {};
  return { ...Object.fromEntries(kept), NODE_ENV: 'test', NO_COLOR: '1', FORCE_COLOR: undefined, ...backend };
}

function report({ name }, { passed, failed, skipped, ms, cpuMs, output }) {
  const nothing = passed + failed === 0;
  const counts = `${passed} passed${failed ? `, ${failed} failed` : ''}${skipped ? `, ${skipped} skipped` : ''}`;
  if (failed > 0 || nothing) console.log(`\n--- ${name}: what it printed\n${output.trimEnd()}\n---`);
  console.log(
    `${name.padEnd(12)} ${(nothing ? 'ran no test' : counts).padEnd(27)} ${seconds(ms)} ${seconds(cpuMs)} of a core`,
  );
}

function closing(outcomes, startedMs) {
  const sum = (field) => outcomes.reduce((total, outcome) => total + outcome[field], 0);
  const empty = outcomes.filter(({ passed, failed }) => passed + failed === 0).length;
  const failed = sum('failed') + empty;
  console.log(`all suites ${seconds(Date.now() - startedMs)} ${seconds(cpuMsUntilNow())} of a core`);
  console.log(`${sum('passed')} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`.padStart(9);
}
