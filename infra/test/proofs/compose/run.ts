/**
 * Runs a deployment by compose: the image of the shipped Dockerfile, the shipped compose files with one file of stand-ins
 * on top, and the steps of infra/production/compose/README.md, line by line. Podman runs the containers, nginx terminates
 * TLS. A user signs in by Chromium, mines, claims and buys a badge; an operator reads the room. Everything is restarted, a
 * backup is made and restored, and the audit must find nothing. `--miners N` (50) mine meanwhile and save every `--every
 * MS` (1000). `--partitions` and `--upgrade` run two of each under the benchmarks' load mix instead. The first cuts links
 * and pauses containers (`--only REGEX` selects steps); the second replaces each with another release, one by one, and
 * back. `--store` runs the document stores alone, and all services' tests on them. Ends with `N passed, N failed`.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Checks } from '../../kit/checks.ts';
import { anyStore } from './any-store.ts';
import { backup } from './backup.ts';
import { cuts } from './cuts.ts';
import { Deployment } from './deployment.ts';
import { limits, memory, restart } from './limits.ts';
import { upgrade } from './upgrade.ts';

const LOAD_MS = 30_000;
/** Delay after a cut, in ms, after which a retried call succeeds. */
const RETRY_MS = '5000';
const { values } = parseArgs({
  options: {
    miners: { type: 'string', default: '50' },
    every: { type: 'string', default: '1000' },
    partitions: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    upgrade: { type: 'boolean', default: false },
    store: { type: 'boolean', default: false },
  },
});
const isTwofold = values.upgrade || values.partitions;
const mining = ['load.ts', values.miners, values.every] as const;
const checks = new Checks();
const folder = await mkdtemp(join(tmpdir(), 'compose-'));
const preparing = Deployment.prepare(folder, { isTwofold });
let deployment: Deployment | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await (await preparing.catch(() => undefined))?.stop();
    process.exit(130);
  });
try {
  deployment = await preparing;
  const ours = deployment;
  for (const { title, work } of ours.steps(!values.store)) await checks.needed(title, work);
  if (values.store) await anyStore(ours, checks);
  else await run(ours);
} catch (error) {
  checks.add('the deployment runs', [String(error), ...((await deployment?.last().catch(() => [])) ?? [])]);
} finally {
  await deployment?.stop();
}
checks.close();
process.exit();

/** Runs the proof on a deployment that is up. */
async function run(ours: Deployment) {
  await checks.needed('the ingress responds at PUBLIC_ORIGIN', () => ours.openIngress());
  if (!isTwofold) await limits(ours, checks);
  const print = async (printed: Promise<string>) => console.log((await printed).trimEnd());
  if (values.partitions)
    await checks.step('no call fails twice, and each node earned exactly rate x time in each epoch', () =>
      print(
        ours.underLoad(
          () => cuts(ours, checks, new RegExp(values.only)),
          'mixed.ts',
          values.miners,
          '--epochs',
          '--retry-after',
          RETRY_MS,
        ),
      ),
    );
  else if (values.upgrade)
    await checks.step('no call fails twice, and each node earned exactly rate x time', () =>
      print(ours.underLoad(() => upgrade(ours, checks), 'mixed.ts', values.miners)),
    );
  else {
    await checks.step('a user signs in, mines, claims and buys a badge', () => print(ours.visit('visit.ts', 'first')));
    await checks.step("an operator reads the operators' room", () => print(ours.visit('visit.ts', 'room')));
    await checks.step('each node earned exactly rate x time', () =>
      print(
        ours.underLoad(
          async () => {
            await sleep(LOAD_MS);
            await memory(ours, checks);
          },
          ...mining,
        ),
      ),
    );
    await restart(ours, checks);
    await checks.step('after it every user has the same data', () => print(ours.visit('visit.ts', 'again')));
    await backup(ours, checks);
  }
  await checks.step('the audit has no findings', () => audit(ours));
}

/** Runs the README's audit that reads the chain. */
async function audit(ours: Deployment) {
  const printed = await ours.compose('run --rm audit-chain');
  const [result] = printed.match(/^RESULT drift_micro=.*$/m) ?? [];
  console.log(result);
  if (!/^RESULT drift_micro=0 accounts=\d+ findings=0\b/.test(result ?? '')) throw new Error(printed);
  if (!/^\d+ transactions read on the chain$/m.test(printed)) throw new Error(printed);
}
