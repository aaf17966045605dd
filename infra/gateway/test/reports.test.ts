import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folderStore } from '@cord/deploy/store/folder-store';
import { registryReader } from '@cord/deploy/store/registry';
import { expect, test } from 'vitest';
import { lineFile, origin, upstream } from './origin.js';

const NAME = 'mfe_tasks';
const VERSION = '1.0.0-b';

/** A page's report of a visit of the new version with an error. */
const report = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    errors: [{ message: 'x', module: NAME, versions: { shell: 's', sdk: '1.0.0', module: VERSION } }],
    visits: [{ module: NAME, version: VERSION, n: 3 }],
  }),
};

/** The line that has just switched to the new version. */
const switched = JSON.stringify({
  ...{ seq: 2, action: 'publish', version: VERSION, from: '1.0.0-a', when: new Date().toISOString() },
  ...{ sdk: '^1.0.0', ui: '^1.0.0', parts: [], who: 'ann', by: 'person' },
});

test('reports are counted by release once auth has accepted them, and do not affect what is published', async () => {
  let status = 204;
  const service = await upstream((request, response) => {
    request.resume();
    response.writeHead(status).end();
  });
  const site = await origin({ upstreams: { auth: [service.url] } });
  await writeFile(join(site.folder, 'store', lineFile(2)), switched);
  const figures = async () =>
    [
      ...(await site.figures()).matchAll(
        /^cord_client_(\w+)_total\{(?:.*,)?module="(\w+)",version="([\w.-]+)".*\} (\d+)/gm,
      ),
    ]
      .map(([, what, module, version, n]) => [what, module, version, n].join(' '))
      .sort();
  // The line is known after the next check.
  await expect
    .poll(async () => {
      await site.call('/api/client-errors', report);
      return (await figures()).some((line) => line.startsWith(`errors ${NAME} ${VERSION}`));
    })
    .toBe(true);
  for (let n = 0; n < 40; n += 1) await site.call('/api/client-errors', report);
  const before = await figures();
  expect(Number(before[0]?.split(' ').at(-1))).toBeGreaterThanOrEqual(40);
  status = 429;
  await site.call('/api/client-errors', report);
  expect(await figures()).toEqual(before);
  const { lines } = await registryReader(folderStore(join(site.folder, 'store')))();
  expect(lines[NAME]).toMatchObject({ seq: 2, version: VERSION });
});
