/**
 * npm run bench -- operators: the lists of the operators' room at the store, among a thousand users and a hundred cases, and then among a
 * million and a hundred thousand: each page as the service reads it, the first and one from far inside. `--users N --cases N`.
 * Exit 1 where a page takes longer than a person waits for, or a count does.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { createConnection } from 'mongoose';
import { ROOT } from '../dev/starter/paths.mjs';
import { Processes, startStore } from '../test/kit/processes.ts';
import { caseDoc } from './operators/cases.mjs';
import { questionsOf } from './operators/questions.mjs';
import { median } from './report/median.ts';
import { insertAll, userDoc } from './start/fill.mjs';

const READS = 15;
/** What a person takes for at once, ms. */
const AT_ONCE_MS = 100;
const SMALL = { users: 1_000, cases: 100 };

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '1000000' },
    cases: { type: 'string', default: '100000' },
  },
});
const large = { users: Number(values.users), cases: Number(values.cases) };
if (!(large.users >= SMALL.users) || !(large.cases >= SMALL.cases))
  throw new Error(`--users is a whole number from ${SMALL.users} on, --cases from ${SMALL.cases} on`);

const fromDist = (file) => import(pathToFileURL(join(ROOT, 'services', file)).href);
const own = await Processes.create();
try {
  const [{ data }, { createUserStore }, { createSupportStore }, { migrate }] = await Promise.all([
    fromDist('auth/dist/data.js'),
    fromDist('auth/dist/store/users.js'),
    fromDist('auth/dist/store/support.js'),
    import('@cord/kit/migration/migrate'),
  ]);
  const { uri } = await startStore(own);
  const connection = await createConnection(uri, { dbName: 'cord_auth', useBigInt64: true }).asPromise();
  await migrate(connection, data);
  const stores = { users: createUserStore(connection), support: createSupportStore(connection) };
  const nowMs = Date.now();
  const took = [];
  let from = { users: 0, cases: 0 };
  for (const size of [SMALL, large]) {
    await insertAll(connection.collection('users'), from.users, size.users, (n) => userDoc(n, nowMs));
    await insertAll(connection.collection('support_requests'), from.cases, size.cases, (n) =>
      caseDoc(n, size.users, nowMs),
    );
    console.log(`${size.users} users, ${size.cases} cases`);
    from = size;
    took.push(await asked(questionsOf(stores, size, nowMs)));
  }
  await connection.close();

  const [small, big] = took;
  for (const [name, ms] of big) {
    const before = small.get(name);
    console.log(`RESULT ${name}_ms=${ms.toFixed(1)} among_few=${before.toFixed(1)} ratio=${(ms / before).toFixed(2)}`);
  }
  console.log(`RESULT users=${large.users}`);
  console.log(`RESULT cases=${large.cases}`);
  if ([...big.values()].some((ms) => ms > AT_ONCE_MS)) process.exitCode = 1;
} finally {
  await own.close();
}

/** @returns {Promise<Map<string, number>>} the median of each, ms */
async function asked(questions) {
  const medians = new Map();
  for (const [name, ask] of Object.entries(questions)) {
    const tookMs = [];
    for (let n = 0; n < READS; n += 1) {
      const beganMs = performance.now();
      const answer = await ask();
      tookMs.push(performance.now() - beganMs);
      if (answer.length === 0) throw new Error(`${name} found nothing`);
    }
    medians.set(name, median(tookMs));
  }
  return medians;
}
