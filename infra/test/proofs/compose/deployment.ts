import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { Keypair } from '@solana/web3.js';
import { parse } from 'yaml';
import { filesUnderGit } from '../../../build/git.ts';
import { ROOT } from '../../../dev/starter/paths.mjs';
import { until } from '../../kit/until.ts';
import { Ingress } from './ingress.ts';
import { OPERATOR, OUTSIDE, PUBLIC_ORIGIN } from './names.ts';
import { Podman } from './podman.ts';
import { makeRootfs } from './rootfs.ts';
import { GATEWAYS, writeTwofold } from './twofold.ts';

const run = promisify(execFile);
const HERE = import.meta.dirname;
const README = 'infra/production/compose/README.md';
const READY_MS_MAX = 120_000;
/** Maximum time until all users have signed in and mine. */
const LOADED_MS_MAX = 1_800_000;

/** The release of this checkout, which names the image: RELEASE of example.env. */
export const { RELEASE = '' } = parseEnv(readFileSync(join(ROOT, 'infra/production/compose/example.env'), 'utf8'));

/** A line of the README, with what the proof adds after it. */
interface Step {
  title: string;
  work: () => Promise<unknown>;
}

interface Network {
  internal?: boolean;
  ipam?: { config: { subnet: string; gateway?: string }[] };
}

/** A deployment by the compose files, in a copy of this checkout, with its own podman. */
export class Deployment {
  readonly podman: Podman;
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #treasury = Keypair.generate().publicKey.toBase58();
  readonly #isTwofold: boolean;
  #ingress: Ingress | undefined;

  private constructor(folder: string, podman: Podman, isTwofold: boolean) {
    this.#folder = folder;
    this.podman = podman;
    this.#isTwofold = isTwofold;
    const files = ['stores.yaml', 'compose.yaml', join(HERE, 'override.yaml'), ...(isTwofold ? [twofold(folder)] : [])];
    this.#env = { PROOF_FOLDER: folder, COMPOSE_FILE: files.join(':') };
  }

  /**
   * Copies the checkout, and builds the third-party images that a deployment needs.
   * @param how isTwofold: two of each service and of the gateway (twofold.ts)
   */
  static async prepare(folder: string, { isTwofold = false }: { isTwofold?: boolean } = {}): Promise<Deployment> {
    const checkout = join(folder, 'checkout');
    await mkdir(checkout, { recursive: true });
    // The volume of backups must be writable by the store stand-in, whose user differs from the image's.
    await mkdir(join(folder, 'backup'));
    await chmod(join(folder, 'backup'), 0o777);
    for (const file of filesUnderGit(ROOT)) await cp(join(ROOT, file), join(checkout, file));
    const { stdout: cache } = await run('npm', ['config', 'get', 'cache']);
    const podman = await Podman.start(join(folder, 'podman'), [
      '--quiet',
      '--layers=false',
      '--network=host',
      '--build-arg=NODE_IMAGE=stand-in-node',
      `--volume=${cache.trim()}:/root/.npm`,
    ]);
    try {
      await makeRootfs(join(folder, 'base/rootfs'));
      const dockerfile = join(HERE, 'Dockerfile');
      for (const base of ['node', 'nats'])
        await podman.run(
          ...['build', '--quiet', '-f', dockerfile, '--target', base, '-t', `stand-in-${base}`],
          join(folder, 'base'),
        );
    } catch (error) {
      await podman.stop();
      throw error;
    }
    if (isTwofold) await writeTwofold(twofold(folder));
    return new Deployment(folder, podman, isTwofold);
  }

  /** The README's commands, each with what to fill in or create after it. @param all false: until everything is built */
  *steps(all = true): Generator<Step> {
    let cwd = join(this.#folder, 'checkout');
    for (const line of linesIn(README_TEXT)) {
      const [, into] = /^cd (\S+)$/.exec(line) ?? [];
      if (into) {
        cwd = join(cwd, into);
        continue;
      }
      if (!all && line.startsWith('docker compose')) return;
      const at = cwd;
      yield {
        title: line,
        work: async () => {
          if (line.startsWith('docker compose up')) await this.#makeNetworks(at);
          await this.podman.shell(line, at, this.#env);
          if (line.startsWith('cp example.env')) await this.#fillIn(at);
          if (line.includes('cord secrets')) await this.#makeWorld(at);
          if (line.startsWith('docker build')) await this.#makeStore();
        },
      };
    }
  }

  /** Runs `docker compose ARGS`. @param env added, such as RELEASE @returns its output */
  compose(args: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
    return this.podman.shell(`docker compose ${args}`, this.#compose, { ...this.#env, ...env });
  }

  get #compose() {
    return join(this.#folder, 'checkout/infra/production/compose');
  }

  /** Fills in .env, as an operator does. */
  async #fillIn(at: string) {
    const file = join(at, '.env');
    const given = {
      PUBLIC_ORIGIN,
      DISCORD_CLIENT_ID: 'cord-local',
      ADMIN_DISCORD_IDS: OPERATOR.id,
      SOLANA_TREASURY: this.#treasury,
      RATE_LIMIT_SCALE: '100000',
    };
    let text = await readFile(file, 'utf8');
    for (const [name, value] of Object.entries(given)) {
      const line = new RegExp(`^${name}=.*$`, 'm');
      text = line.test(text) ? text.replace(line, `${name}=${value}`) : `${text}${name}=${value}\n`;
    }
    await writeFile(file, text);
  }

  /** Creates third-party secrets and certificates, by the authority that the services trust. */
  async #makeWorld(at: string) {
    const secrets = join(at, 'secrets');
    const world = join(this.#folder, 'world');
    await mkdir(join(world, 'solana'), { recursive: true });
    await writeFile(join(secrets, 'auth/DISCORD_CLIENT_SECRET'), 'the secret of an application\n');
    await writeFile(join(world, 'discord.json'), JSON.stringify({ accounts: [OPERATOR] }));
    await writeFile(join(world, 'client-secret'), 'the secret of an application\n');
    for (const service of ['mining', 'rewards'])
      await writeFile(join(secrets, service, 'SOLANA_RPC_URL'), 'https://solana.example/\n');
    await certificate(secrets, join(world, 'tls'), OUTSIDE);
    await certificate(secrets, join(this.#folder, 'ingress'), [new URL(PUBLIC_ORIGIN).hostname]);
    const conf = await readFile(join(at, '../kubernetes/base/nats/nats.conf'), 'utf8');
    const older = conf.replace(',"sync_interval":"always"', '');
    if (older === conf) throw new Error('nats.conf has no sync_interval');
    await writeFile(join(this.#folder, 'nats.conf'), older);
  }

  /** Starts the document stores alone, with their users. */
  async startStores(): Promise<void> {
    await this.#makeNetworks(this.#compose);
    await this.compose('up -d mongo-0 mongo-1 mongo-2');
    await this.compose('up mongo-init');
  }

  /** @returns the stores' address for the user of the jobs, and the CA file of their certificate */
  async storeUri(): Promise<{ uri: string; authority: string }> {
    const secrets = join(this.#compose, 'secrets');
    const uri = await readFile(join(secrets, 'jobs/MONGODB_URI'), 'utf8');
    return { uri: uri.trim(), authority: join(secrets, 'ca/ca.crt') };
  }

  /** Creates the networks with fixed addresses, as in compose.yaml (why: override.yaml). */
  async #makeNetworks(at: string) {
    const { networks } = parse(await readFile(join(at, 'compose.yaml'), 'utf8')) as {
      networks: Record<string, Network>;
    };
    for (const [name, { internal, ipam }] of Object.entries(networks)) {
      const [{ subnet, gateway } = { subnet: '' }] = ipam?.config ?? [];
      if (subnet === '') continue;
      const flags = [...(internal ? ['--internal'] : []), ...(gateway ? ['--gateway', gateway] : [])];
      await this.podman.run('network', 'create', '--subnet', subnet, ...flags, `cord_${name}`);
    }
  }

  #makeStore() {
    return this.#onImage('store', 'stand-in-store');
  }

  /** Builds the image of the next release (Dockerfile). @returns its tag */
  async makeNext(): Promise<string> {
    await cp(join(HERE, 'next.mjs'), join(this.#folder, 'base/next.mjs'));
    await this.#onImage('next', 'cord:next');
    return 'next';
  }

  /** Builds an image on top of this checkout's. */
  #onImage(target: string, tag: string) {
    const file = ['-f', join(HERE, 'Dockerfile'), '--target', target, '--build-arg', `CORD_IMAGE=cord:${RELEASE}`];
    return this.podman.run('build', '--quiet', ...file, '-t', tag, join(this.#folder, 'base'));
  }

  /** Starts nginx in front of the gateways, and waits until the deployment is healthy. */
  async openIngress(): Promise<void> {
    this.#ingress = await Ingress.open(this.#folder, this.#isTwofold ? GATEWAYS : GATEWAYS.slice(0, 1));
    await this.healthy();
  }

  /** Waits until every service is ready, by the gateway's health check. */
  healthy(): Promise<true> {
    return until('every service is ready', async () => (await fetch('http://127.0.0.1:8080/healthz')).ok, READY_MS_MAX);
  }

  /** Runs a program of the proof as a client that trusts the deployment's authority. @returns its output */
  visit(file: string, ...args: string[]): Promise<string> {
    const program = [process.execPath, '--import', 'tsx', join(HERE, file), this.#folder, ...args];
    const env = { NODE_EXTRA_CA_CERTS: join(this.#compose, 'secrets/ca/ca.crt') };
    return this.podman.shell(program.join(' '), ROOT, env);
  }

  /**
   * Has users mine through the ingress while `work` runs, then checks what each node has earned.
   * @param program of the load, and its arguments: load.ts or mixed.ts
   * @returns its output
   */
  async underLoad(work: () => Promise<void>, program: string, ...args: string[]): Promise<string> {
    const loaded = this.visit(program, ...args);
    try {
      await Promise.race([until('people mine', () => this.load(), LOADED_MS_MAX), loaded]);
      await work();
    } finally {
      await writeFile(join(this.#folder, 'rest'), '');
    }
    return loaded;
  }

  /** Returns the progress of load.ts. */
  async load(): Promise<Record<string, number>> {
    return JSON.parse(await readFile(join(this.#folder, 'load.json'), 'utf8'));
  }

  /** Returns the ends of the logs of all containers, for diagnosis. */
  async last(): Promise<string[]> {
    const found = await this.podman.inspect();
    const wanted = found.filter(({ State }) => State.ExitCode !== 0 || State.Status !== 'exited');
    return Promise.all(
      wanted.map(async ({ Name, State }) => {
        const log = await this.podman.shell(`podman logs --tail 8 ${Name} 2>&1`, this.#folder).catch(String);
        return `${Name} ${State.Status} ${State.ExitCode} ${State.Health?.Status}\n${log}`;
      }),
    );
  }

  async stop(): Promise<void> {
    await this.#ingress?.close();
    await this.podman.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Path of the compose file with two of each. */
const twofold = (folder: string) => join(folder, 'twofold.yaml');
const README_TEXT = await readFile(join(ROOT, README), 'utf8');

/** Returns the commands in the first block of a README, without comments. */
export function linesIn(text: string): string[] {
  const [, block = ''] = /^```\n([\s\S]*?)^```$/m.exec(text) ?? [];
  return block
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter(Boolean);
}

/** Creates a key and a certificate for these names: PATH.key and PATH.crt. */
async function certificate(secrets: string, path: string, names: readonly string[]) {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', `${path}.key`];
  const authority = ['-CA', join(secrets, 'ca/ca.crt'), '-CAkey', join(secrets, 'authority/ca.key')];
  const san = `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`;
  await run('openssl', [
    'req',
    '-x509',
    ...key,
    ...authority,
    '-days',
    '30',
    '-subj',
    `/CN=${names[0]}`,
    '-addext',
    san,
    '-out',
    `${path}.crt`,
  ]);
}
