import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readJson } from './files.mjs';
import { SETUP_USER } from './nats.mjs';
import { StartError } from './problems.mjs';
import { runFile } from './run-file.mjs';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Connects to the NATS of a running system as the user that may do everything there.
 * @param {string} dataDir
 * @throws {StartError} when no system runs there, or NATS does not answer
 */
export async function connectAsSetup(dataDir) {
  const running = await readJson(runFile(dataDir));
  if (!running)
    throw new StartError(`no system runs on ${dataDir}. Start it with npm start, or name its folder with --data.`);
  const { connectNats } = await import('@cord/kit/nats');
  const { createLogger } = await import('@cord/kit/log');
  const password = await readFile(join(dataDir, 'secrets', `nats-${SETUP_USER}`), 'utf8').catch(() => undefined);
  const url = new URL(running.natsUrl);
  if (running.services.nats?.length && password)
    Object.assign(url, { username: SETUP_USER, password: password.trim() });
  const settings = { NATS_URL: url.href, NATS_CREDS: process.env.NATS_CREDS };
  const signal = AbortSignal.timeout(CONNECT_TIMEOUT_MS);
  return connectNats(settings, SETUP_USER, createLogger(SETUP_USER, 'fatal'), signal).catch(() => {
    throw new StartError(`NATS at ${url.host} does not answer.`);
  });
}
