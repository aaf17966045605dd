import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ordersSocket, sendOrder, takeOrders } from '../starter/orders.ts';
import { StartError } from '../starter/problems.mjs';

let place: Awaited<ReturnType<typeof scratch>>;
let close: (() => Promise<void>) | undefined;
beforeEach(async () => {
  place = stopAfterTest(await scratch());
});
afterEach(async () => {
  await close?.();
  close = undefined;
});

type Report = (line: string) => void;
const taking = async (obey: (order: { n: number }, report: Report) => Promise<string>) => {
  close = await takeOrders(place.folder, obey);
};
const give = (order: unknown, report: Report = () => undefined): Promise<string> =>
  sendOrder(place.folder, order, report);

test('an order reports line by line until it is done, over a socket of the owner only', async () => {
  await taking(async ({ n }, report) => {
    for (let line = 0; line < n; line += 1) report(`line ${line}`);
    return 'all done';
  });
  const lines: string[] = [];
  expect(await give({ n: 2 }, (line) => void lines.push(line))).toBe('all done');
  expect(lines).toEqual(['line 0', 'line 1']);
  expect((await stat(ordersSocket(place.folder))).mode & 0o777).toBe(0o600);
});

test('a rejected or failed order returns its reason, and the next order is accepted', async () => {
  await taking(async ({ n }) => {
    if (n === 1) throw new StartError('not that');
    return 'done';
  });
  await expect(give({ n: 1 })).rejects.toThrow('not that');
  await expect(give({ n: 0, text: 'x'.repeat(70_000) })).rejects.toThrow('too long');
  expect(await give({ n: 0 })).toBe('done');
});

test('a second concurrent order is rejected', async () => {
  let finish: (() => void) | undefined;
  await taking(() => new Promise((resolve) => (finish = () => resolve('first'))));
  const first = give({ n: 0 });
  await expect.poll(() => finish).toBeDefined();
  await expect(give({ n: 0 })).rejects.toThrow('another command is in progress');
  finish?.();
  expect(await first).toBe('first');
});

test('an order without a running system fails, and a leftover socket does not block the next start', async () => {
  await expect(give({})).rejects.toThrow(`no system on ${place.folder} accepts commands; under npm run dev none does`);
  await writeFile(ordersSocket(place.folder), '');
  await taking(async () => 'done');
  expect(await give({})).toBe('done');
});

test('a path too long for a socket is an error', async () => {
  const deep = join(place.folder, 'x'.repeat(100));
  await mkdir(deep);
  await expect(takeOrders(deep, async () => '')).rejects.toThrow('too long for a socket');
});
