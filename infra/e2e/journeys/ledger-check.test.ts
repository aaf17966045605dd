import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { mongo } from 'mongoose';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { runningStoreUri } from '../../dev/starter/store-address.ts';
import { advance, systemNow } from '../../test/kit/clock.ts';
import { shot, visitor, widths } from '../browser.js';
import { enter } from '../people.js';
import { button, seen } from '../screens.js';

const origin = inject('origin');
const place = forAllTests(scratch);
let store: mongo.MongoClient;

beforeAll(async () => {
  store = await new mongo.MongoClient(await runningStoreUri(inject('dataDir')), { useBigInt64: true }).connect();
});
afterAll(async () => {
  await store?.close();
});

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Advances the clock past the end of the day, and waits until its root is published. */
async function toNextRoot(): Promise<void> {
  const nowMs = await systemNow(origin);
  const dueMs = Math.floor(nowMs / DAY_MS + 1) * DAY_MS + 11 * MINUTE_MS;
  await advance(origin, `${Math.ceil((dueMs - nowMs) / MINUTE_MS)}m`);
  await expect.poll(async () => (await fetch(`${origin}/api/log/checkpoint`)).status).toBe(200);
}

/** Downloads the proof, and runs the served verifier with the command shown on the page. */
async function withoutThePage(page: Page): Promise<{ code: number; out: string }> {
  const command = await page.getByRole('group', { name: 'Command with verify.mjs' }).locator('code').textContent();
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download proof').click()]);
  await download.saveAs(join(place.folder, download.suggestedFilename()));
  const verifier = await fetch(`${origin}/verify.mjs`);
  await writeFile(join(place.folder, 'verify.mjs'), Buffer.from(await verifier.arrayBuffer()));
  const [program, ...args] = (command ?? '').split(' ');
  expect([program, args[0], args[1]]).toEqual(['node', 'verify.mjs', download.suggestedFilename()]);
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: place.folder }, (error, out) =>
      resolve({ code: error === null ? 0 : Number(error.code), out: out.trim() }),
    );
  });
}

describe.each(widths('phone'))('the check of a ledger (%s)', (width) => {
  test('accepts an unchanged ledger, on the page and with verify.mjs, and detects an entry changed in the store', async () => {
    const person = await visitor(width);
    const { page } = person;
    const { userId } = await enter(person, origin, { tab: 'settings' });
    await toNextRoot();
    await page.reload();
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('heading', { name: 'Check your ledger' }).waitFor();
    await button(page, /^Check (now|again)$/).click();
    await seen(page, /^Your ledger matches the root of/);
    await shot(page, `ledger-check-${width}`);
    const honest = await withoutThePage(page);
    expect(honest).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^OK \d+ entries, balance .*, root .*, \d+ recomputed$/m),
    });
    await seen(page, honest.out);

    const entries = store.db('cord_mining').collection('entries');
    const first = { userId, n: 1 };
    const written = await entries.findOneAndUpdate(first, { $set: { reason: 'Another reason' } });
    expect(written).not.toBeNull();
    try {
      await button(page, 'Check again').click();
      await seen(page, 'Entry 1 does not match');
      await shot(page, `ledger-check-mismatch-${width}`);
      const changed = await withoutThePage(page);
      expect(changed).toEqual({ code: 1, out: 'MISMATCH entry 1: its hash is not the hash of its fields' });
      await seen(page, changed.out);
    } finally {
      await entries.updateOne(first, { $set: { reason: written?.reason } });
    }
    await page.getByRole('button', { name: 'Settings, Security' }).click();
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
    await person.leave();
  });
});
