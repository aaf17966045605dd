import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLogger } from '@cord/kit/log';
import { expect, test } from 'vitest';
import { line, lineFile, MODULE, origin } from './origin.js';

/** Starts a gateway with one published module; returns its logged errors and one file of the module. */
async function site() {
  const logged: string[] = [];
  const error = (_: unknown, message: string) => void logged.push(message);
  const gateway = await origin({}, { log: Object.assign(createLogger('gateway', 'silent'), { error }) });
  const folder = join(gateway.folder, 'store/mfe_tasks/1.0.0-a');
  const page = async (headers = {}) => {
    const { status, text } = await gateway.call('/modules/mfe_tasks/1.0.0-a/page.2.js', { headers });
    return status === 200 ? text : status;
  };
  const changed = async () => /^cord_gateway_files_changed\{.*\} (\d+)$/m.exec(await gateway.figures())?.[1];
  return { gateway, folder, file: join(folder, 'page.2.js'), page, changed, logged };
}

test('a file that changed in the store gets 404, is logged once and counted, until it is restored', async () => {
  const { file, page, changed, logged } = await site();
  expect([await page(), await changed()]).toEqual(['page', undefined]);
  const { atime, mtime } = await stat(file);
  await writeFile(file, 'PAGE');
  await utimes(file, atime, mtime);
  expect([await page(), await page(), await changed()]).toEqual([404, 404, '1']);
  expect(logged).toEqual(['a published file was changed in the store: not served']);
  await writeFile(file, 'page');
  expect([await page(), await changed()]).toEqual(['page', undefined]);
});

test('a changed file is no longer counted once it is restored or deleted, even without a request', async () => {
  const { file, folder, page, changed } = await site();
  await writeFile(file, 'PAGE');
  expect([await page(), await changed()]).toEqual([404, '1']);
  await writeFile(file, 'page');
  expect(await changed()).toBeUndefined();
  await writeFile(file, 'PAGE');
  expect([await page(), await changed()]).toEqual([404, '1']);
  await rm(folder, { recursive: true });
  expect(await changed()).toBeUndefined();
});

test('an unrecorded file gets 404, and so does a compressed one beside a published file', async () => {
  const { gateway, folder, file, page, changed } = await site();
  await writeFile(join(folder, 'more.js'), 'more');
  expect((await gateway.call('/modules/mfe_tasks/1.0.0-a/more.js')).status).toBe(404);
  await writeFile(`${file}.br`, 'compressed by an attacker');
  expect([await page({ 'accept-encoding': 'br' }), await page()]).toEqual([404, 404]);
  expect(await changed()).toBe('2');
  await rm(`${file}.br`);
  expect(await page({ 'accept-encoding': 'br' })).toBe('page');
});

test('a version gets 404 until a journal line names it', async () => {
  const { gateway, folder } = await site();
  const at = (version: string) => gateway.call(`/modules/mfe_tasks/${version}/page.2.js`);
  const other = join(folder, '../1.0.0-b');
  await gateway.write(other, MODULE);
  expect((await at('1.0.0-b')).status).toBe(404);
  await writeFile(join(gateway.folder, 'store', lineFile(2)), line('1.0.0-b', MODULE));
  expect((await at('1.0.0-b')).text).toBe('page');
  // Pages opened before continue with the previous version.
  expect((await at('1.0.0-a')).text).toBe(await readFile(join(folder, 'page.2.js'), 'utf8'));
});
