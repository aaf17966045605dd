/**
 * npm run bench -- operators: queries of the operators' lists at the store, with a thousand users and a hundred cases,
 * then with a million and a hundred thousand. Reads each page as the service does, the first and one from the middle.
 * `--users N --cases N`. Exit code 1 when a page or a count takes too long for a user.
 */
import { parseArgs } from 'node:util';
import { createConnection } from 'mongoose';
import { built } from '../cli/system.ts';
import { Processes, startStore } from '../test/kit/processes.ts';
import { caseDoc } from './operators/cases.ts';
import { type Question, questionsOf, type Size } from './operators/questions.ts';
import { median } from './shared/median.ts';
import { insertAll, userDoc } from './start/fill.ts';

const READS = 15;
/** Maximum time that a user perceives as immediate, ms. */
const AT_ONCE_MS = 100;
const SMALL: Size = { users: 1_000, cases: 100 };

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '1000000' },
    cases: { type: 'string', default: '100000' },
  },
});
const large = { users: Number(values.users), cases: Number(values.cases) };
if (!(large.users >= SMALL.users) || !(large.cases >= SMALL.cases))
  throw new Error(`--users must be a whole number of at least ${SMALL.users}, --cases of at least ${SMALL.cases}`);

const own = await Processes.create();
try {
  const [{ data }, { createUserStore }, { createSupportStore }, { migrate }] = await Promise.all([
    built<typeof import('../../services/auth/data.ts')>('services/auth/dist/data.js'),
    built<typeof import('../../services/auth/store/users.ts')>('services/auth/dist/store/users.js'),
    built<typeof import('../../services/auth/store/support.ts')>('services/auth/dist/store/support.js'),
    import('@cord/kit/migration/migrate'),
  ]);
  const { uri } = await startStore(own);
  const connection = await createConnection(uri, { dbName: 'cord_auth', useBigInt64: true }).asPromise();
  await migrate(connection, data);
  const stores = { users: createUserStore(connection), support: createSupportStore(connection) };
  const nowMs = Date.now();
  const measured = async (size: Size, there: Size) => {
    await insertAll(connection.collection('users'), there.users, size.users, (n) => userDoc(n, nowMs));
    await insertAll(connection.collection('support_requests'), there.cases, size.cases, (n) =>
      caseDoc(n, size.users, nowMs),
    );
    console.log(`${size.users} users, ${size.cases} cases`);
    return mediansOf(questionsOf(stores, size, nowMs));
  };
  const [small, big] = [await measured(SMALL, { users: 0, cases: 0 }), await measured(large, SMALL)];
  await connection.close();
  for (const [name, ms] of big) {
    const before = small.get(name) ?? Number.NaN;
    console.log(`RESULT ${name}_ms=${ms.toFixed(1)} among_few=${before.toFixed(1)} ratio=${(ms / before).toFixed(2)}`);
  }
  console.log(`RESULT users=${large.users}`);
  console.log(`RESULT cases=${large.cases}`);
  if ([...big.values()].some((ms) => ms > AT_ONCE_MS)) process.exitCode = 1;
} finally {
  await own.close();
}

/** @returns the median of each, ms */
async function mediansOf(questions: Record<string, Question>): Promise<Map<string, number>> {
  const medians = new Map<string, number>();
  for (const [name, query] of Object.entries(questions)) {
    const tookMs: number[] = [];
    for (let n = 0; n < READS; n += 1) {
      const beganMs = performance.now();
      const answer = await query();
      tookMs.push(performance.now() - beganMs);
      if (answer.length === 0) throw new Error(`${name} found nothing`);
    }
    medians.set(name, median(tookMs));
  }
  return medians;
}
