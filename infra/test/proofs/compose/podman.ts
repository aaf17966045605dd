import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { until } from '../../kit/until.ts';

const run = promisify(execFile);
const OUTPUT_MAX = 64 * 1024 ** 2;
const HEALTH_EVERY_MS = 1_000;
const SOCKET_MS_MAX = 20_000;
/** Podman's limit. Beyond it an ended container stays `stopped`, so `docker compose up` never returns. */
const RUNROOT_CHARS_MAX = 50;

/** This process's own limits, and the kernel's for processes: no container may exceed them. */
async function ulimits(): Promise<string> {
  const limits = await readFile('/proc/self/limits', 'utf8');
  const own = (name: string) => Number(new RegExp(`^Max ${name}\\s+(\\d+)`, 'm').exec(limits)?.[1] ?? 1024);
  const files = own('open files');
  const processes = Math.min(own('processes'), Number(await readFile('/proc/sys/kernel/pid_max', 'utf8')));
  return `"nofile=${files}:${files}", "nproc=${processes}:${processes}", "core=0:0"`;
}

/** Containers run as children of this process: events are logged to a file, without systemd. */
const containersConf = async (networks: string) => `
[containers]
default_ulimits = [${await ulimits()}]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
compat_api_enforce_docker_hub = false
[network]
network_backend = "netavark"
network_config_dir = "${networks}"
`;

/**
 * Podman with its own images, containers and networks in one folder, and a `docker` on PATH for the READMEs' commands:
 * `docker compose` is Debian's docker-compose on podman's socket, the rest is podman.
 */
export class Podman {
  readonly env: NodeJS.ProcessEnv;
  readonly #folder: string;
  #service: ReturnType<typeof spawn> | undefined;
  #isWatching = true;
  #watching: Promise<void> | undefined;

  private constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.env = env;
  }

  /**
   * @param folder for everything; `stop` empties it
   * @param buildFlags of every `docker build`
   * @throws {Error} when the folder's path is too long for podman: use a shorter TMPDIR
   */
  static async start(folder: string, buildFlags: readonly string[]): Promise<Podman> {
    const at = (name: string) => join(folder, name);
    if (at('run').length > RUNROOT_CHARS_MAX)
      throw new Error(`${at('run')} has more than ${RUNROOT_CHARS_MAX} characters: set TMPDIR to a shorter folder`);
    await mkdir(at('bin'), { recursive: true });
    await mkdir(at('tmp'), { recursive: true });
    await writeFile(at('containers.conf'), await containersConf(at('networks')));
    const storage = ['[storage]', 'driver = "overlay"', `graphroot = "${at('root')}"`, `runroot = "${at('run')}"`];
    await writeFile(at('storage.conf'), `${storage.join('\n')}\n`);
    await writeFile(at('registries.conf'), 'unqualified-search-registries = []\n');
    const shim = `#!/bin/sh
case "$1" in
  compose) shift; exec docker-compose "$@" ;;
  build) shift; exec podman build ${buildFlags.join(' ')} "$@" ;;
  *) exec podman "$@" ;;
esac
`;
    await writeFile(at('bin/docker'), shim);
    await chmod(at('bin/docker'), 0o755);
    const podman = new Podman(folder, {
      ...process.env,
      PATH: `${at('bin')}:${process.env.PATH}:/usr/sbin`,
      TMPDIR: at('tmp'),
      CONTAINERS_CONF: at('containers.conf'),
      CONTAINERS_STORAGE_CONF: at('storage.conf'),
      CONTAINERS_REGISTRIES_CONF: at('registries.conf'),
      BUILDAH_ISOLATION: 'chroot',
      DISABLE_HC_SYSTEMD: 'true',
      DOCKER_HOST: `unix://${at('podman.sock')}`,
      COMPOSE_HTTP_TIMEOUT: '300',
    });
    const log = ['ignore', 'ignore', 'ignore'] as const;
    podman.#service = spawn('podman', ['system', 'service', '--time=0', `unix://${at('podman.sock')}`], {
      env: podman.env,
      stdio: [...log],
    });
    await until(
      'podman answers',
      () => podman.run('--remote', '--url', `unix://${at('podman.sock')}`, 'version').then(Boolean, () => false),
      SOCKET_MS_MAX,
    );
    podman.#watching = podman.#watchHealth();
    return podman;
  }

  /** @returns its output. @throws {Error} with it */
  async run(...args: string[]): Promise<string> {
    const { stdout } = await run('podman', args, { env: this.env, maxBuffer: OUTPUT_MAX });
    return stdout.trim();
  }

  /** Runs a README line with bash. @returns its output @throws {Error} with it */
  async shell(line: string, cwd: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
    const child = spawn('bash', ['-ec', line], {
      cwd,
      env: { ...this.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        printed += chunk;
      });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`${line}: exit code ${code}\n${printed.slice(-6_000)}`);
    return printed;
  }

  /** Returns podman's data about all containers. */
  async inspect(): Promise<Inspected[]> {
    const ids = (await this.run('ps', '-aq')).split('\n').filter(Boolean);
    return ids.length === 0 ? [] : JSON.parse(await this.run('inspect', ...ids));
  }

  /** Replaces systemd's timers for health checks: checks the containers that are not healthy yet, one after the other. */
  async #watchHealth() {
    for (; this.#isWatching; await sleep(HEALTH_EVERY_MS)) {
      const listed = await this.run('ps', '--format', '{{.ID}} {{.Status}}').catch(() => '');
      for (const line of listed.split('\n').filter((each) => /\((starting|unhealthy)\)/.test(each)))
        if (this.#isWatching) await this.run('healthcheck', 'run', line.split(' ')[0] ?? '').catch(() => {});
    }
  }

  /** Ends all containers and removes everything created. */
  async stop(): Promise<void> {
    this.#isWatching = false;
    await this.#watching;
    await this.run('rm', '--all', '--force', '--time', '1').catch(() => {});
    await this.run('network', 'prune', '--force').catch(() => {});
    await this.run('system', 'reset', '--force').catch(() => {});
    this.#service?.kill('SIGTERM');
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Returns the name of a container's service in compose.yaml. */
export const serviceOf = ({ Config }: Inspected): string => Config.Labels['com.docker.compose.service'] ?? '';

/** Result of `podman inspect`. */
export interface Inspected {
  Name: string;
  ImageName: string;
  State: {
    Status: string;
    Pid: number;
    ExitCode: number;
    OOMKilled: boolean;
    StartedAt: string;
    Health?: { Status: string };
  };
  RestartCount: number;
  Config: { User: string; Labels: Record<string, string>; StopTimeout: number };
  HostConfig: { ReadonlyRootfs: boolean; Memory: number; CapAdd: string[]; CapDrop: string[]; SecurityOpt: string[] };
  EffectiveCaps: string[] | null;
  NetworkSettings: { Networks: Record<string, { IPAddress: string }> };
}
