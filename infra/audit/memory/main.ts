import { parseArgs } from 'node:util';
import { DAY_MS } from '@cord/contracts/rules/days';
import { auditUsers } from '../audit.js';
import { alwaysOn } from './always-on.js';

const YEAR_DAYS = 365;
/** A Monday, so that a week begins with the books. */
const START_MS = Date.UTC(2026, 0, 5);

/*
 * Audits made-up books of people whose nodes never stop, and prints the largest memory that this process had: `node infra/audit/dist/memory/main.js`.
 * Exit 1 where the books do not hold, which are right by their making.
 */
const { values } = parseArgs({
  options: { users: { type: 'string', default: '500' }, years: { type: 'string', default: '3' } },
});
const users = Number(values.users);
const days = Math.round(Number(values.years) * YEAR_DAYS);
if (!(users > 0) || !(days > 0)) throw new Error('--users is a whole number from 1 on, --years a number above 0');
const source = alwaysOn({ users, days, startMs: START_MS });
const judgement = { nowMs: START_MS + days * DAY_MS, lagMs: 0 };
const beganMs = performance.now();
const { accounts, entries, findings } = await auditUsers(source, judgement, ({ of, what }) =>
  console.log(`${of}: ${what}`),
);
const seconds = (performance.now() - beganMs) / 1_000;
console.log(`${accounts} accounts, ${entries} entries, ${findings} findings in ${seconds.toFixed(0)} s`);
console.log(`RESULT entries=${entries}`);
console.log(`RESULT entries_a_second=${Math.round(entries / seconds)}`);
console.log(`RESULT peak_rss_mb=${Math.round(process.resourceUsage().maxRSS / 1_024)}`);
process.exitCode = findings === 0 ? 0 : 1;
