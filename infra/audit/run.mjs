import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/*
 * npm run audit [-- --data DIR] [--all]: audits the books of a running or a stopped system (README.md). It runs before anything is built and
 * prints that then. Exit 1 on findings; 2 when there is nothing to audit, the chain does not answer, or what only a newer release reads.
 */

async function audit() {
  const { values } = parseArgs({ options: { data: { type: 'string' }, all: { type: 'boolean', default: false } } });
  const dataDir = resolve(values.data ?? process.env.CORD_DATA ?? '.data');
  const [{ storeOf }, { withSecretFiles }, { ROOT }, { readJson }, { isRunning }, { runFile }] = await Promise.all([
    import('../dev/starter/store-of.mjs'),
    import('../dev/starter/secret-files.mjs'),
    import('../dev/starter/paths.mjs'),
    import('../dev/starter/files.mjs'),
    import('../dev/starter/pids.mjs'),
    import('../dev/starter/run-file.mjs'),
  ]);
  const { main } = await import('./dist/main.js').catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error(`what it needs is not built (${error.message}). npm run build -- --node builds it.`);
  });
  const services = (await readJson(runFile(dataDir)))?.services ?? {};
  const running = Object.values(services).flat().some(isRunning);
  const { env } = withSecretFiles(process.env);
  const rpcUrl = env.SOLANA_RPC_URL ?? (running ? services.solana?.[0]?.url : undefined);
  const store = await storeOf(dataDir, process.env);
  try {
    // An address that is given may be that of a system that runs elsewhere.
    const works = running || env.MONGODB_URI !== undefined;
    return await main({ root: ROOT, dataDir, store, running: works, rpcUrl, all: values.all });
  } finally {
    await store.close();
  }
}

try {
  process.exitCode = await audit();
} catch (error) {
  console.error(`audit: ${error.message}`);
  process.exitCode = 2;
}
