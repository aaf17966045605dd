/** Something that `npm test` or `npm run proof` runs: a command that closes with `N passed, N failed`. */
export interface Suite {
  /** As in `npm test -- NAME`. */
  name: string;
  /** Arguments of node. */
  command: string[];
  /** Programs, of which `git` wants a checkout; `store` starts the shared document store, `web` builds shell and modules. */
  needs?: Need[];
  /** After which it is ended; an hour. */
  timeoutMs?: number;
  /** More of the environment. */
  env?: Record<string, string>;
  /** The system gives it the processor before the other suites: it has the longest chains of single steps. */
  first?: boolean;
}

export type Need = 'git' | 'nats-server' | 'chromium' | 'promtool' | 'nginx' | 'strace' | 'podman' | 'store' | 'web';

/** vitest with these arguments, such as a project of vitest.config.ts or files. @returns arguments of node */
export function vitest(...args: string[]): string[] {
  return [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=infra/test/count-reporter.ts',
    ...args,
  ];
}

/** A script, which may import TypeScript. @returns arguments of node */
export function script(file: string, ...args: string[]): string[] {
  return ['--import', 'tsx', file, ...args];
}

/** Workers of a suite of many files: each waits a third of its time, for a disk, a process, the network. Three of them make nothing faster. */
const WORKERS = '--maxWorkers=2';

/**
 * Suites that run side by side in `npm test`: two keep both cores of a machine busy. A third one makes nothing faster, and calls between
 * services miss their time limits more often.
 */
export const AT_ONCE = 2;

/** The suites in the order in which they begin, the longest first, so that none of them is left over at the end. */
export const SUITES: Suite[] = [
  {
    name: 'journeys',
    command: vitest('--project', 'journeys'),
    needs: ['nats-server', 'chromium', 'web'],
    first: true,
  },
  { name: 'services', command: vitest('--project', 'services', WORKERS), needs: ['nats-server', 'store'] },
  {
    name: 'infra',
    command: vitest('--project', 'infra', '--project', 'isolated', WORKERS),
    needs: ['git', 'nats-server', 'store', 'nginx', 'strace', 'chromium', 'web'],
  },
  { name: 'screens', command: vitest('--project', 'screens', WORKERS) },
  { name: 'stories', command: script('storybook/test/run.ts'), needs: ['chromium'] },
  {
    name: 'chaos',
    command: script('infra/test/proofs/chaos.ts', '--rounds', '1', '--users', '20', '--victims', 'mining,store'),
    needs: ['nats-server', 'web'],
  },
  { name: 'typecheck', command: script('infra/test/typecheck.ts') },
  {
    name: 'life',
    command: script('infra/test/proofs/life.ts', '--users', '6', '--days', '2', '--seed', '1'),
    needs: ['nats-server', 'web'],
  },
  { name: 'web', command: vitest('--project', 'web') },
  { name: 'lint', command: ['infra/test/lint.mjs'], needs: ['git'] },
];
