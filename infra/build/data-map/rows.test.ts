import { expect, test } from 'vitest';
import { faultsOf } from './rows.ts';

const MAP = `## auth.users

| field | purpose | days | export | erasure |
| --- | --- | --- | --- | --- |
| \`_id\` | random id | account | yes | removed |
| \`discordId\` | who signs in | account | yes | removed |

## Elsewhere

| place | purpose | days | export | erasure |
| --- | --- | --- | --- | --- |
| logs | what happened | 30 | no | gone after 30 days |
`;
const faults = (fields: string[], text = MAP) => faultsOf(new Map([['auth.users', new Set(fields)]]), text);

test('a complete map has no fault', () => {
  expect(faults(['_id', 'discordId'])).toEqual([]);
  expect(faults(['_id', 'discordId'], MAP.replaceAll('\n', '\r\n'))).toEqual([]);
});

test('a field without a row, a row without a field, and an empty cell are reported', () => {
  expect(faults(['_id', 'discordId', 'email'])).toEqual(['auth.users: email has no row']);
  expect(faults(['_id'])).toEqual(['auth.users: discordId is no longer stored']);
  expect(faults(['_id', 'discordId'], MAP.replace('| 30 |', '|  |'))).toEqual([
    'Elsewhere: logs has no entry for days',
  ]);
  expect(faultsOf(new Map(), MAP)).toEqual(['auth.users is no longer stored']);
});
