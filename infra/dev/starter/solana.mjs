import { join } from 'node:path';
import { secret } from './data-folder.mjs';
import { ROOT } from './paths.mjs';
import { answersOk } from './probes.mjs';
import { envOf } from './services.mjs';

/**
 * The Solana runtime of this machine: in local mode, when no cluster is given. Null otherwise, and on a machine for which
 * litesvm has no binary: then there are no orders.
 * @param {{settings: ReturnType<import('./settings.mjs').readSettings>, port: number}} given
 * @returns {Promise<{process: object, env: Record<string, string>} | null>} env is what rewards gets
 */
export async function planSolana({ settings, port }) {
  const { env, dataDir, local } = settings;
  if (!local || env.SOLANA_RPC_URL || !(await canRun())) return null;
  const treasury = env.SOLANA_TREASURY ?? (await treasuryAddress(dataDir));
  const url = `http://127.0.0.1:${port}`;
  return {
    process: {
      service: 'solana',
      command: process.execPath,
      args: ['--enable-source-maps', join(ROOT, 'infra/dev/dist/solana/main.js')],
      env: {
        ...envOf(env),
        HOST: '127.0.0.1',
        PORT: String(port),
        CORD_DATA: dataDir,
        SOLANA_TREASURY: treasury,
      },
      url,
      metricsUrl: null,
      isReady: answersOk(`${url}/readyz`),
    },
    env: { SOLANA_RPC_URL: url, SOLANA_TREASURY: treasury },
  };
}

/** Whose secret stands in the data folder, so that a refund can be tried by hand too. */
async function treasuryAddress(dataDir) {
  const { Keypair } = await import('@solana/web3.js');
  const seed = Buffer.from(await secret(dataDir, 'solana-treasury'), 'hex');
  return Keypair.fromSeed(seed).publicKey.toBase58();
}

function canRun() {
  return import('litesvm').then(
    () => true,
    () => false,
  );
}
