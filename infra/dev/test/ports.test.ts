import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT } from '../starter/paths.mjs';

const PROCESSES = 8;
/** As many as a system with two replicas uses. */
const PORTS = 30;
const LOOK = `import('./infra/dev/starter/ports.ts').then(({ freePorts }) => freePorts(${PORTS})).then((ports) => console.log(JSON.stringify(ports)))`;

test('systems that start at the same time get different ports, although none listens yet', async () => {
  const looks = await Promise.all(
    Array.from({ length: PROCESSES }, () =>
      promisify(execFile)(process.execPath, ['--import', 'tsx', '-e', LOOK], { cwd: ROOT }),
    ),
  );
  const ports = looks.flatMap(({ stdout }) => JSON.parse(stdout));
  expect(ports).toHaveLength(PROCESSES * PORTS);
  expect(new Set(ports).size).toBe(ports.length);
});
