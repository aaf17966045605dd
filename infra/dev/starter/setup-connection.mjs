import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readJson } from './files.mjs';
import { SETUP_USER } from './nats-accounts.mjs';
import { StartError } from './problems.mjs';
import { runFile } from './run-file.mjs';
import { withSecretFiles } from './secret-files.mjs';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Connects as the user that may do everything there to the NATS of a running system, or, where services run by themselves, to the one at
 * NATS_URL, which then has that user.
 * @param {string} dataDir
 * @param {NodeJS.ProcessEnv} given
 * @throws {StartError} when no system runs there and no address is given, or NATS does not answer
 */
export async function connectAsSetup(dataDir, given = process.env) {
  const { env, problems } = withSecretFiles(given);
  if (problems.length > 0) throw new StartError(problems.join('\n  '));
  const running = await readJson(runFile(dataDir));
  const url = running ? await runningNatsUrl(running, dataDir) : env.NATS_URL;
  if (!url)
    throw new StartError(
      `no system runs on ${dataDir}. Start it with npm start, name its folder with --data, or its NATS with NATS_URL.`,
    );
  const { connectNats } = await import('@cord/kit/nats');
  const { createLogger } = await import('@cord/kit/log');
  const settings = { NATS_URL: url, NATS_CREDS: env.NATS_CREDS };
  const signal = AbortSignal.timeout(CONNECT_TIMEOUT_MS);
  return connectNats(settings, SETUP_USER, createLogger(SETUP_USER, 'fatal'), signal).catch(() => {
    throw new StartError(`NATS at ${hostsOf(url)} does not answer.`);
  });
}

async function runningNatsUrl({ natsUrl, services }, dataDir) {
  const password = await readFile(join(dataDir, 'secrets', `nats-${SETUP_USER}`), 'utf8').catch(() => undefined);
  // An operator's may be several, with commas.
  if (!services.nats?.length || !password) return natsUrl;
  return Object.assign(new URL(natsUrl), { username: SETUP_USER, password: password.trim() }).href;
}

/** Without who may in. */
function hostsOf(natsUrls) {
  return natsUrls.split(',').map((one) => (URL.canParse(one) ? new URL(one).host : 'an invalid address'));
}
