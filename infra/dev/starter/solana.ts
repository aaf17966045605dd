import { join } from 'node:path';
import { secret } from './data-folder.ts';
import { ROOT } from './paths.mjs';
import { answersOk } from './probes.ts';
import { envOf, secretFile } from './services.ts';
import type { Settings } from './settings.ts';
import type { LaunchSpec } from './supervised.ts';

/** The process of a runtime, and the variables with which rewards reaches it. */
export interface SolanaPlan {
  process: LaunchSpec;
  env: Record<string, string>;
}

/**
 * Plans the Solana runtime of this machine, used in local mode without a given cluster. Null otherwise, and where
 * litesvm has no binary: then there are no orders.
 */
export async function planSolana({ settings, port }: { settings: Settings; port: number }): Promise<SolanaPlan | null> {
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
        // Memos of the ledger's log cost fees.
        SOLANA_FUNDED: await addressOf(env.LEDGER_MEMO_KEY ?? (await secret(dataDir, secretFile('LEDGER_MEMO_KEY')))),
      },
      url,
      metricsUrl: null,
      isReady: answersOk(`${url}/readyz`),
    },
    env: { SOLANA_RPC_URL: url, SOLANA_TREASURY: treasury },
  };
}

/** The secret is kept in the data folder, so that a refund can also be tried by hand. */
const treasuryAddress = async (dataDir: string) => addressOf(await secret(dataDir, 'solana-treasury'));

/** @param seed 64 hex characters */
async function addressOf(seed: string): Promise<string> {
  const { Keypair } = await import('@solana/web3.js');
  return Keypair.fromSeed(Buffer.from(seed, 'hex')).publicKey.toBase58();
}

function canRun() {
  return import('litesvm').then(
    () => true,
    () => false,
  );
}
