import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder, requireAccess } from './folder.js';

/**
 * One process per data folder: two would each keep counters of their own. The lock is a socket that the kernel closes with
 * the process, so kill -9 leaves nothing stale. On Linux its name has no file; elsewhere a file in the temp folder. It is named
 * by the folder's inode, which is the same after a rename and at each mount.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  makeFolder(folder);
  requireAccess(folder);
  // Open until it is unlocked: of a deleted folder another one could get the inode.
  const opened = openSync(folder, 'r');
  const { dev, ino } = fstatSync(opened, { bigint: true });
  const name = `cord-embedded-mongo-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 32)}`;
  const address = process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`);
  const server = (await tryListen(address)) ?? (await retryStale(address));
  if (server === undefined) {
    closeSync(opened);
    throw new Error(`the data folder ${folder} is in use by another embedded-mongo process`);
  }
  server.unref();
  return () =>
    new Promise((resolve) =>
      server.close(() => {
        closeSync(opened);
        resolve();
      }),
    );
}

function tryListen(address: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(address, () => resolve(server));
  });
}

/** Removes a socket file on which no process responds: it is left from a killed process. */
async function retryStale(address: string): Promise<Server | undefined> {
  if (address.startsWith('\0') || (await answers(address))) return undefined;
  unlinkSync(address);
  return tryListen(address);
}

function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
