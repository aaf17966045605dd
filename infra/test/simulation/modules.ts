import { rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { copyWithFault, type Fault, fileOf } from '@cord/kit/testing/fault-copies';

const CACHE = fileURLToPath(new URL('.cache/', import.meta.url));
/** Folders of the simulated code: four services and their dependencies. */
const FOLDERS = ['contracts', 'kit', 'mining', 'referrals', 'rewards', 'tasks'];

/** @param fileAt returns the file to import for a path below `services` */
const load = async (fileAt: (path: string) => string) => {
  const at = (path: string) => import(/* @vite-ignore */ pathToFileURL(fileAt(path)).href);
  return {
    problem: (await at('kit/problem.ts')) as typeof import('@cord/kit/problem'),
    storeOptions: (await at('kit/store.ts')) as typeof import('@cord/kit/store'),
    clockWatch: (await at('kit/clock-watch.ts')) as typeof import('@cord/kit/clock-watch'),
    rules: (await at('kit/rules.ts')) as typeof import('@cord/kit/rules'),
    switches: (await at('kit/switches.ts')) as typeof import('@cord/kit/switches'),
    switchesKept: (await at('kit/switches-store.ts')) as typeof import('@cord/kit/switches-store'),
    erase: (await at('kit/erase.ts')) as typeof import('@cord/kit/erase'),
    auditLog: (await at('kit/audit-log.ts')) as typeof import('@cord/kit/audit-log'),
    ledgerClient: (await at('kit/ledger-client.ts')) as typeof import('@cord/kit/ledger-client'),
    purge: (await at('kit/purge.ts')) as typeof import('@cord/kit/purge'),
    outbox: (await at('kit/outbox.ts')) as typeof import('@cord/kit/outbox'),
    streak: (await at('contracts/rules/streak.ts')) as typeof import('@cord/contracts/rules/streak'),
    taskContract: (await at('contracts/http/tasks.ts')) as typeof import('@cord/contracts/http/tasks'),
    ledger: (await at('mining/ledger/ledger.ts')) as typeof import('../../../services/mining/ledger/ledger.js'),
    accountWrite: (await at(
      'mining/ledger/account-write.ts',
    )) as typeof import('../../../services/mining/ledger/account-write.js'),
    leaves: (await at('mining/roots/leaves.ts')) as typeof import('../../../services/mining/roots/leaves.js'),
    ledgerBus: (await at('mining/ledger/bus.ts')) as typeof import('../../../services/mining/ledger/bus.js'),
    epochs: (await at('mining/ledger/epochs.ts')) as typeof import('../../../services/mining/ledger/epochs.js'),
    series: (await at('mining/ledger/series.ts')) as typeof import('../../../services/mining/ledger/series.js'),
    node: (await at('mining/node/steps.ts')) as typeof import('../../../services/mining/node/steps.js'),
    epochsInUse: (await at(
      'mining/ledger/epochs-in-use.ts',
    )) as typeof import('../../../services/mining/ledger/epochs-in-use.js'),
    epochServing: (await at('mining/epochs.ts')) as typeof import('../../../services/mining/epochs.js'),
    reads: (await at('mining/store/reads.ts')) as typeof import('../../../services/mining/store/reads.js'),
    miningModels: (await at(
      'mining/store/collections.ts',
    )) as typeof import('../../../services/mining/store/collections.js'),
    corrections: (await at('mining/corrections.ts')) as typeof import('../../../services/mining/corrections.js'),
    ledgerRpc: (await at('mining/rpc.ts')) as typeof import('../../../services/mining/rpc.js'),
    ledgerEvents: (await at('mining/events.ts')) as typeof import('../../../services/mining/events.js'),
    tasksStore: (await at('tasks/store.ts')) as typeof import('../../../services/tasks/store.js'),
    taskClaims: (await at('tasks/claims.ts')) as typeof import('../../../services/tasks/claims.js'),
    excused: (await at('tasks/excused.ts')) as typeof import('../../../services/tasks/excused.js'),
    taskEvents: (await at('tasks/events.ts')) as typeof import('../../../services/tasks/events.js'),
    seed: (await at('tasks/domain/seed.ts')) as typeof import('../../../services/tasks/domain/seed.js'),
    rewardsStore: (await at('rewards/store.ts')) as typeof import('../../../services/rewards/store.js'),
    rewardClaims: (await at('rewards/claims.ts')) as typeof import('../../../services/rewards/claims.js'),
    epochDesk: (await at('rewards/epoch-desk.ts')) as typeof import('../../../services/rewards/epoch-desk.js'),
    epochRules: (await at('rewards/domain/epochs.ts')) as typeof import('../../../services/rewards/domain/epochs.js'),
    ruleChanges: (await at('rewards/domain/rules.ts')) as typeof import('../../../services/rewards/domain/rules.js'),
    rewardEvents: (await at('rewards/events.ts')) as typeof import('../../../services/rewards/events.js'),
    referralStore: (await at('referrals/store.ts')) as typeof import('../../../services/referrals/store.js'),
    books: (await at('referrals/books.ts')) as typeof import('../../../services/referrals/books.js'),
    dues: (await at('referrals/dues.ts')) as typeof import('../../../services/referrals/dues.js'),
    sums: (await at('referrals/sums.ts')) as typeof import('../../../services/referrals/sums.js'),
    unbooked: (await at('referrals/unbooked.ts')) as typeof import('../../../services/referrals/unbooked.js'),
    follow: (await at('referrals/follow.ts')) as typeof import('../../../services/referrals/follow.js'),
    payer: (await at('referrals/payer.ts')) as typeof import('../../../services/referrals/payer.js'),
    links: (await at('referrals/links.ts')) as typeof import('../../../services/referrals/links.js'),
    arrivals: (await at('referrals/arrivals.ts')) as typeof import('../../../services/referrals/arrivals.js'),
    referralLedger: (await at('referrals/ledger.ts')) as typeof import('../../../services/referrals/ledger.js'),
    referralEvents: (await at('referrals/events.ts')) as typeof import('../../../services/referrals/events.js'),
  };
};

/** The code under simulation: the services' own files, or a copy with one deliberate fault. */
export type Modules = Awaited<ReturnType<typeof load>>;

export const realModules = (): Promise<Modules> => load(fileOf);

/** Returns a copy of the code with one fault. */
export const brokenModules = (fault: Fault): Promise<Modules> =>
  load(copyWithFault(fault, { cache: CACHE, folders: FOLDERS }));

export const removeCopies = (): void => rmSync(CACHE, { recursive: true, force: true });
