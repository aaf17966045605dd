/** Prints the one address, and which parts are real and which stand in. */
export function announce({ publicOrigin, store, solana, settings, startedMs }) {
  const { local, env } = settings;
  const real = ['ledger, accounts and events', 'NATS with JetStream and a user per service'];
  const standIns = [];
  (store.real ? real : standIns).push(
    store.real ? store.said : 'MongoDB -> the embedded server, on disk in the data folder',
  );
  if (local) {
    standIns.push('Discord -> accounts of your own at /dev/discord', 'the clock can be moved forward at /dev');
  } else {
    real.push('Discord');
  }
  if (env.SOLANA_RPC_URL) real.push('Solana at SOLANA_RPC_URL');
  else if (solana) standIns.push('Solana -> a runtime of this machine with SOL of no worth');
  console.log(`
  Real:      ${real.join('; ')}
  Stand-ins: ${standIns.join('; ') || 'none'}
  Data:      ${settings.dataDir} (kept; logs in logs/)
  Ctrl-C stops in order, a second Ctrl-C at once. Up after ${((Date.now() - startedMs) / 1000).toFixed(1)} s.

CORD is ready at ${publicOrigin}`);
}
