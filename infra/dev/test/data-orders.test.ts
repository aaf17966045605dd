import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { expect, test, vi } from 'vitest';
import { isHalf, runImport } from '../backup/import.ts';
import { importOrder } from '../starter/data-orders.ts';
import type { PausedServices } from '../starter/paused-services.ts';
import { StartError } from '../starter/problems.mjs';

vi.mock('../backup/import.ts', () => ({ isHalf: vi.fn(), runImport: vi.fn() }));

/** A running system whose services can be paused. */
async function system() {
  const calls: string[] = [];
  const lines: string[] = [];
  const pausedServices = {
    pause: async () => void calls.push('pause'),
    resume: async () => calls.push('resume') > 0,
  };
  const order = importOrder({
    settings: { dataDir: stopAfterTest(await scratch()).folder, env: {}, local: true },
    uri: 'mongodb://127.0.0.1:1',
    running: () => [],
    pausedServices: pausedServices as unknown as PausedServices,
  });
  return { calls, lines, importFile: () => order({ file: 'backup.tar' }, (line) => lines.push(line)) };
}

test('an import that failed while the store is unreachable reports its own reason, and the services resume', async () => {
  vi.mocked(runImport).mockRejectedValue(new StartError('backup.tar was changed.'));
  vi.mocked(isHalf).mockRejectedValue(new Error('connect ECONNREFUSED 127.0.0.1:1'));
  const { calls, importFile } = await system();
  await expect(importFile()).rejects.toThrow('backup.tar was changed.');
  expect(calls).toEqual(['resume']);
});

test('a half import keeps the services stopped, and the message names both the reason and the remedy', async () => {
  vi.mocked(runImport).mockRejectedValue(new Error('the disk is full.'));
  vi.mocked(isHalf).mockResolvedValue(true);
  const { calls, importFile } = await system();
  await expect(importFile()).rejects.toThrow(/the disk is full.*again.*services stay stopped/);
  expect(calls).toEqual([]);
});

test('an import that is complete succeeds although NATS does not respond to the refill of its streams', async () => {
  vi.mocked(runImport).mockResolvedValue('imported backup.tar');
  const { calls, lines, importFile } = await system();
  expect(await importFile()).toBe('imported backup.tar');
  expect(calls).toEqual(['resume']);
  expect(lines.at(-1)).toContain('npx cord streams rebuild');
});
