import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamDefinition } from '@cord/contracts/events/streams';
import type { Nats } from '@cord/kit/nats';
import { commandEnvironment } from './command-environment.ts';
import { StartError } from './problems.mjs';
import { type Running, runningSystem } from './run-file.ts';

/** The user that creates streams and consumers, also used by `npx cord` commands. Same name as in the contracts. */
export const SETUP_USER = 'setup';

const START_TIMEOUT_MS = 20_000;
const COMMAND_TIMEOUT_MS = 5_000;
/** The first poll is early: most streams have lost nothing. */
const REBUILD_POLL_MS_MIN = 50;
const REBUILD_POLL_MS_MAX = 500;
const REBUILD_ANSWER_MS = 10_000;

/**
 * Connects to NATS as the setup user, who may do everything: to that of the running system, else to NATS_URL, which
 * must have that user.
 * @throws {StartError} when no system runs and no address is given, or NATS does not respond
 */
export async function connectAsSetup(dataDir: string, given: NodeJS.ProcessEnv = process.env): Promise<Nats> {
  const env = commandEnvironment(given);
  const running = await runningSystem(dataDir);
  const url = running ? await runningNatsUrl(running, dataDir) : env.NATS_URL;
  if (!url)
    throw new StartError(
      `no system runs on ${dataDir}. Start it with npm start, name its folder with --data, or its NATS with NATS_URL.`,
    );
  return connect(url, env, COMMAND_TIMEOUT_MS);
}

/** Runs `work` on such a connection. @throws {StartError} as `connectAsSetup` */
export async function withSetup<T>(
  dataDir: string,
  work: (nats: Nats) => Promise<T>,
  given: NodeJS.ProcessEnv = process.env,
): Promise<T> {
  const nats = await connectAsSetup(dataDir, given);
  try {
    return await work(nats);
  } finally {
    await nats.drain();
  }
}

async function runningNatsUrl({ natsUrl, services }: Running, dataDir: string) {
  const password = await readFile(join(dataDir, 'secrets', `nats-${SETUP_USER}`), 'utf8').catch(() => undefined);
  // An operator may give several addresses, separated by commas.
  if (!natsUrl || !services.nats?.length || !password) return natsUrl;
  return Object.assign(new URL(natsUrl), { username: SETUP_USER, password: password.trim() }).href;
}

/**
 * Whether a reachable server does not respond to JetStream calls. After a full disk it stays so until it is restarted.
 * @param url with the setup user's password
 */
export async function isStuck(url: string): Promise<boolean> {
  const nats = await connect(url, {}, COMMAND_TIMEOUT_MS).catch(() => null);
  if (nats === null) return false;
  const answers = await nats.jsm.getAccountInfo().then(
    () => true,
    () => !nats.connected(),
  );
  await nats.drain();
  return !answers;
}

async function connect(url: string, env: NodeJS.ProcessEnv, timeoutMs: number): Promise<Nats> {
  const [{ parseNatsUrl }, { connectNats }, { createLogger }] = await Promise.all([
    import('@cord/kit/config'),
    import('@cord/kit/nats'),
    import('@cord/kit/log'),
  ]);
  const settings = { NATS_URL: url, NATS_CREDS: env.NATS_CREDS };
  return connectNats(settings, SETUP_USER, createLogger(SETUP_USER, 'fatal'), AbortSignal.timeout(timeoutMs)).catch(
    () => {
      throw new StartError(
        `NATS at ${parseNatsUrl(url).servers.join(', ')} did not respond within ${timeoutMs / 1000} s.`,
      );
    },
  );
}

/**
 * Creates the streams and consumers of the contract, as `npx cord streams` does. Idempotent.
 * @param url with the setup user's password
 * @param env for NATS_CREDS and NATS_REPLICAS
 * @throws {StartError} when the server is unreachable, or cannot keep that many replicas
 */
export async function setUpTopology(url: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { copiesIn, ensureTopology } = await import('@cord/kit/topology');
  await atStart(url, env, (nats) => ensureTopology(nats, { replicas: copiesIn(env.NATS_REPLICAS) }));
}

/**
 * Checks that the streams and consumers of every service exist. Changes nothing: those of a NATS cluster belong to its operators.
 * @throws {StartError} naming what is missing
 */
export async function checkTopology(url: string, env: NodeJS.ProcessEnv): Promise<void> {
  const [{ SERVICES }, { missingTopology }] = await Promise.all([
    import('@cord/contracts/endpoint'),
    import('@cord/kit/topology/check'),
  ]);
  await atStart(url, env, async (nats) => {
    const missing = new Set((await Promise.all(SERVICES.map((service) => missingTopology(nats, service)))).flat());
    if (missing.size > 0)
      throw new StartError(
        `NATS has not been set up by npx cord streams. Missing: ${[...missing].join(', ')}. Run it with this NATS_URL.`,
      );
  });
}

async function atStart(url: string, env: NodeJS.ProcessEnv, work: (nats: Nats) => Promise<void>) {
  const nats = await connect(url, env, START_TIMEOUT_MS);
  try {
    await work(nats);
  } catch (error) {
    if (error instanceof StartError) throw error;
    const { parseNatsUrl } = await import('@cord/kit/config');
    const where = parseNatsUrl(url).servers.join(', ');
    throw new StartError(`NATS at ${where} does not keep the streams: ${(error as Error).message}.`);
  } finally {
    await nats.drain();
  }
}

/**
 * Has the owner of a stream publish lost messages again, and waits until that is done.
 * @param nats connected as the setup user
 * @throws {StartError} when the owner does not respond, or has messages that fit no stream
 */
export async function rebuildStream(
  nats: Nats,
  { name, owner }: Pick<StreamDefinition, 'name' | 'owner'>,
  report: (line: string) => void,
): Promise<void> {
  if (owner === 'all') return;
  const { republishRpc } = await import('@cord/contracts/rpc/republish');
  const republish = (begin: boolean) =>
    nats
      .request(republishRpc(owner), { stream: name, begin }, { timeoutMs: REBUILD_ANSWER_MS })
      .catch((error: Error) => {
        throw new StartError(`${owner} could not republish ${name}: ${error.message}`);
      });
  let far = await republish(true);
  for (let pauseMs = REBUILD_POLL_MS_MIN; far.running; pauseMs = Math.min(2 * pauseMs, REBUILD_POLL_MS_MAX)) {
    await sleep(pauseMs);
    far = await republish(false);
  }
  report(`${name}  ${owner} read ${far.documents} documents and published ${far.published} missing events`);
  if (far.unfit > 0) throw new StartError(`${far.unfit} events of ${name} could not be published: see ${owner}'s log`);
}

/**
 * Recreates every stream of a running system, or of the NATS at NATS_URL: empty, with its replicas and limits, since
 * the old messages belong to replaced data. The owners then publish all their state, every consumer restarts, and older
 * snapshots are rejected (services/README.md#events).
 */
export async function remakeStreams(dataDir: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { STREAMS } = await import('@cord/contracts/events/streams');
  const { ensureTopology, streamConfig } = await import('@cord/kit/topology');
  const remake = async (nats: Nats) => {
    for (const { name } of STREAMS) {
      const config = await streamConfig(nats, name);
      if (!config) continue;
      await nats.jsm.streams.delete(name);
      await nats.jsm.streams.add(config);
    }
    await ensureTopology(nats);
  };
  await withSetup(dataDir, remake, env);
}
