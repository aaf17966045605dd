import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ended, firstMatch } from './process.js';

const START_MS_MAX = 60_000;

/** A NATS server with JetStream in its own folder, on a free loopback port. */
export type NatsServer = Awaited<ReturnType<typeof startNatsServer>>;

interface NatsServerOptions {
  /** Text of a configuration file with users and permissions. */
  config?: string;
}

/** @throws Error when nats-server is not on PATH or does not start in time */
export async function startNatsServer(options: NatsServerOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'cord-nats-'));
  const configFile = join(folder, 'nats.conf');
  const kept = join(folder, 'kept');
  if (options.config) await writeFile(configFile, options.config);
  let child: ChildProcess;
  let port = -1;

  const start = async (): Promise<void> => {
    const args = ['-js', '-sd', folder, '-a', '127.0.0.1', '-p', String(port)];
    child = spawn('nats-server', options.config ? [...args, '-c', configFile] : args, {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [, taken] = await firstMatch(
      child,
      'stderr',
      /Listening for client connections on [^:]*:(\d+)/,
      START_MS_MAX,
    );
    await firstMatch(child, 'stderr', /Server is ready/, START_MS_MAX);
    port = Number(taken);
  };
  await start();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended(child);
  };
  return {
    /** URL without user and password. */
    url: `nats://127.0.0.1:${port}`,
    /** kill -9, like a crash. */
    kill: () => end('SIGKILL'),
    /** Restarts it on the same port and data. */
    restart: start,
    /** Copies its data. The server must be killed first. */
    keep: () => cp(join(folder, 'jetstream'), kept, { recursive: true }),
    /** Restarts it on the same port with the copied data: later data is gone, as after a power loss. The server must be killed first. */
    async restartAsKept() {
      await rm(join(folder, 'jetstream'), { recursive: true });
      await cp(kept, join(folder, 'jetstream'), { recursive: true });
      await start();
    },
    /** Stops it and removes its data. */
    async stop() {
      await end('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
