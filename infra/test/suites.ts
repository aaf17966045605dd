/** A suite of `npm test` or `npm run proof`: a command that ends with `N passed, N failed`. */
export interface Suite {
  /** As in `npm test -- NAME`. */
  name: string;
  /** Arguments of node. */
  command: string[];
  /** Required programs; `git` requires a checkout, `store` the shared document store, `web` the built shell and modules. */
  needs?: Need[];
  /** Timeout; an hour by default. */
  timeoutMs?: number;
  /** Added to the environment. */
  env?: Record<string, string>;
  /** Gets the processor before the other suites, since its sequential steps take longest. */
  first?: boolean;
}

export type Need = 'git' | 'nats-server' | 'chromium' | 'promtool' | 'nginx' | 'strace' | 'podman' | 'store' | 'web';

/** Runs vitest with these arguments, such as a project of vitest.config.ts or files. @returns arguments of node */
export function vitest(...args: string[]): string[] {
  return [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=infra/test/count-reporter.ts',
    ...args,
  ];
}

/** Runs a script, which may import TypeScript. @returns arguments of node */
export function script(file: string, ...args: string[]): string[] {
  return ['--import', 'tsx', file, ...args];
}

/** Workers of a suite of many files. Each waits a third of its time, for disk, processes, network; three are no faster. */
const WORKERS = '--maxWorkers=2';

/**
 * Suites run in parallel by `npm test`: two keep both cores busy. A third is no faster, and calls between services time
 * out more often.
 */
export const AT_ONCE = 2;

/** The suites in start order, the longest first, so that none is left over at the end. */
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
