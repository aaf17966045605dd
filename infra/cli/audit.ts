import { Command, Option } from 'commander';
import { commandEnvironment } from '../dev/starter/command-environment.ts';
import { ROOT } from '../dev/starter/paths.mjs';
import { runningSystem } from '../dev/starter/run-file.ts';
import { storeOf } from '../dev/starter/store-of.ts';
import { built, dataDirOf, dataOption, type OfSystem } from './system.ts';

interface OfAudit extends OfSystem {
  all: boolean;
}

/** `cord audit`: recomputes the books of a running or stopped system (infra/audit/README.md). */
export function auditCommand(): Command {
  return new Command('audit')
    .summary('recompute every balance and compare')
    .description(
      'Recomputes every balance, claim, commission and payment of a running or a stopped system. Last line ' +
        '`RESULT drift_micro=N accounts=N findings=N`. Exit code 1 on findings; 2 when there is nothing to audit, the chain does not ' +
        'respond, or only a newer release can read the data.',
    )
    .addOption(new Option('--all', 'prints every finding').default(false, 'the first 1,000'))
    .addOption(dataOption())
    .action(async (options: OfAudit) => {
      try {
        process.exitCode = await audit(options);
      } catch (error) {
        console.error(`audit: ${(error as Error).message}`);
        process.exitCode = 2;
      }
    });
}

async function audit(options: OfAudit): Promise<number> {
  const dataDir = dataDirOf(options);
  const { main } = await built<typeof import('../audit/main.ts')>('infra/audit/dist/main.js');
  const running = await runningSystem(dataDir);
  const env = commandEnvironment();
  const rpcUrl = env.SOLANA_RPC_URL || running?.services.solana?.[0]?.url;
  const store = await storeOf(dataDir, env);
  try {
    // A given address may be that of a system running elsewhere.
    const works = running !== undefined || env.MONGODB_URI !== undefined;
    return await main({ root: ROOT, dataDir, store, running: works, rpcUrl, all: options.all });
  } finally {
    await store.close();
  }
}
