import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mongoose';
import { ended, firstMatch, freePort, isOnPath, workspaceRoot } from './process.js';

const START_MS_MAX = 60_000;

/** A document store of this test alone. */
export interface StoreServer {
  uri: string;
  kind: 'mongod' | 'embedded';
  /** kill -9, like a crash. */
  kill(): Promise<void>;
  /** Restarts it on the same port and data. */
  restart(): Promise<void>;
  /** Stops it and removes its data. */
  stop(): Promise<void>;
}

/** mongod on PATH as a one-node replica set, else the embedded server (infra/README.md#local-mode). */
export async function startStoreServer(): Promise<StoreServer> {
  const folder = await mkdtemp(join(tmpdir(), 'cord-store-'));
  const kind = isOnPath('mongod') ? 'mongod' : 'embedded';
  const port = await freePort();
  const start = kind === 'mongod' ? startMongod : startEmbedded;
  let child = await start(folder, port);
  if (kind === 'mongod') await initiate(port);
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended(child);
  };
  return {
    uri: `mongodb://127.0.0.1:${port}/${kind === 'mongod' ? '?replicaSet=cord' : ''}`,
    kind,
    kill: end,
    async restart() {
      child = await start(folder, port);
    },
    async stop() {
      await end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startEmbedded(folder: string, port: number): Promise<ChildProcess> {
  const root = workspaceRoot();
  const main = join(root, 'infra/embedded-mongo/dist/main.js');
  if (!existsSync(main))
    execFileSync(process.execPath, ['infra/build/build.mjs', '--node'], { cwd: root, stdio: 'ignore' });
  const args = ['--enable-source-maps', main, '--port', String(port), '--data', folder];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  await firstMatch(child, 'stdout', new RegExp(`:${port}\\b`), START_MS_MAX);
  return child;
}

async function startMongod(folder: string, port: number): Promise<ChildProcess> {
  const args = ['--replSet', 'cord', '--bind_ip', '127.0.0.1', '--port', String(port), '--dbpath', folder];
  const child = spawn('mongod', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  await firstMatch(child, 'stdout', /Waiting for connections/, START_MS_MAX);
  return child;
}

async function initiate(port: number): Promise<void> {
  const connection = createConnection(`mongodb://127.0.0.1:${port}/?directConnection=true`);
  await connection.asPromise();
  const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
  await connection.db?.admin().command({ replSetInitiate: { _id: 'cord', members } });
  await connection.destroy();
}
