import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { expect, test, vi } from 'vitest';
import { lockDataFolder, makeFolder, secret } from '../starter/data-folder.ts';
import { isRunning, processStart } from '../starter/pids.ts';
import { originPort } from '../starter/ports.ts';
import { takePlace } from '../starter/run.ts';
import { endLeftovers, runFile } from '../starter/run-file.ts';

const folderOf = async () => stopAfterTest(await scratch()).folder;

test('a second start on a data folder is rejected, naming the folder and the process that has it', async () => {
  const folder = await folderOf();
  const lock = await lockDataFolder(folder);
  await expect(lockDataFolder(folder)).rejects.toThrow(folder);
  await expect(lockDataFolder(folder)).rejects.toThrow(String(process.pid));
  await lock.release();
  await (await lockDataFolder(folder)).release();
});

test('a folder that cannot be created is named at once', async () => {
  const folder = await folderOf();
  await writeFile(join(folder, 'file'), '');
  await expect(lockDataFolder(join(folder, 'file'))).rejects.toThrow(`${join(folder, 'file')} cannot be created`);
  await expect(lockDataFolder(join(folder, 'file', 'below'))).rejects.toThrow(join(folder, 'file'));
  if (process.platform === 'linux')
    await expect(lockDataFolder('/proc/cord-test/data')).rejects.toThrow('/proc/cord-test cannot be created');
  await makeFolder(join(folder, 'a', 'b'));
  expect((await stat(join(folder, 'a', 'b'))).mode & 0o777).toBe(0o700);
});

test('the stale lock of a dead process does not block a start, even if its pid is in use again', async () => {
  const folder = await folderOf();
  await writeFile(join(folder, 'lock'), JSON.stringify({ pid: process.pid, startedAt: 'another time' }));
  await (await lockDataFolder(folder)).release();
});

test('of 20 attempts that find the same stale lock, exactly one takes it', async () => {
  const folder = await folderOf();
  await writeFile(join(folder, 'lock'), JSON.stringify({ pid: process.pid, startedAt: 'another time' }));
  const takers = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataFolder(folder)));
  expect(takers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await expect(lockDataFolder(folder)).rejects.toThrow(/in use by another CORD/);
  expect(await readdir(folder)).toEqual(['lock']);
});

test('a lock that replaces a stale one just before its removal stays', async () => {
  const folder = await folderOf();
  const file = join(folder, 'lock');
  await writeFile(file, JSON.stringify({ pid: process.pid, startedAt: 'another time' }));
  const other = JSON.stringify({ pid: process.ppid, startedAt: processStart(process.ppid) });
  // The check by a signal finds the process alive at first: the other process is faster.
  const seen = vi.spyOn(process, 'kill').mockImplementationOnce(() => {
    writeFileSync(file, other);
    return true;
  });
  await expect(lockDataFolder(folder)).rejects.toThrow(`process ${process.ppid}`);
  seen.mockRestore();
  expect(await readFile(file, 'utf8')).toBe(other);
  expect(await readdir(folder)).toEqual(['lock']);
});

test('the leftovers of a process killed while it took over a stale lock do not block a start', async () => {
  const folder = await folderOf();
  const gone = JSON.stringify({ pid: process.pid, startedAt: 'another time' });
  for (const name of ['lock', 'lock.stale']) await writeFile(join(folder, name), gone);
  const lock = await lockDataFolder(folder);
  expect(await readdir(folder)).toEqual(['lock']);
  await lock.release();
  expect(await readdir(folder)).toEqual([]);
});

test('an empty secret file is rejected by name, and no new secret replaces it', async () => {
  const folder = await folderOf();
  await secret(folder, 'tombstone-key');
  const file = join(folder, 'secrets/tombstone-key');
  await truncate(file);
  await expect(secret(folder, 'tombstone-key')).rejects.toThrow(file);
  expect(await readFile(file, 'utf8')).toBe('');
});

test('a secret is created once, differs from others, and is readable by its owner only', async () => {
  const folder = await folderOf();
  const made = await secret(folder, 'session-secret');
  expect(made).toMatch(/^[0-9a-f]{64}$/);
  expect(await secret(folder, 'session-secret')).toBe(made);
  expect(await secret(folder, 'tombstone-key')).not.toBe(made);
  expect((await stat(join(folder, 'secrets/session-secret'))).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, 'secrets'))).mode & 0o777).toBe(0o700);
});

test('a taken port is rejected by its number', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(originPort(port, '127.0.0.1')).rejects.toThrow(`port ${port} is taken`);
  server.close();
  await once(server, 'close');
  expect(await originPort(port, '127.0.0.1')).toBe(port);
});

test('a start gets its port back from the leftovers of a killed start', async () => {
  const folder = await folderOf();
  const serve = `require('node:http').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port) })`;
  const left = spawn(process.execPath, ['-e', serve], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = Number(String((await once(left.stdout, 'data'))[0]));
  const gateway = [{ pid: left.pid, startedAt: processStart(left.pid ?? 0) }];
  await writeFile(runFile(folder), JSON.stringify({ services: { gateway } }));
  const { lock, ...taken } = await takePlace({ dataDir: folder, host: '127.0.0.1', port });
  expect(taken).toEqual({ port });
  await lock.release();
});

test('processes left by a killed start are ended, and no others', async () => {
  const folder = await folderOf();
  const [left, foreign] = [1, 2].map(() => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']));
  await Promise.all([once(left!, 'spawn'), once(foreign!, 'spawn')]);
  const entry = (pid: number, startedAt: string | null) => ({ pid, startedAt, url: 'http://127.0.0.1:1' });
  const services = {
    mining: [entry(left!.pid!, processStart(left!.pid!))],
    auth: [entry(foreign!.pid!, 'another time')],
  };
  await writeFile(runFile(folder), JSON.stringify({ services }));
  const ended = once(left!, 'exit');
  expect(await endLeftovers(folder)).toBe(1);
  await ended;
  expect(isRunning({ pid: foreign!.pid!, startedAt: processStart(foreign!.pid!) })).toBe(true);
  foreign!.kill();
  expect(await readFile(runFile(folder), 'utf8')).toContain('mining');
});
