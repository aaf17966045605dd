/** Prints the one address, and which parts are real and which stand in. */
export function announce({ publicOrigin, store, solana, settings, startedMs }) {
  const { local, env } = settings;
  const real = ['ledger, accounts and events', 'NATS with JetStream and a user per service'];
  const standIns = [];
  (store.real ? real : standIns).push(
    store.real ? store.said : 'MongoDB -> the embedded server, on disk in the data folder',
  );
  if (local) {
    standIns.push('Discord -> test accounts at /dev/discord', 'the clock can be moved forward at /dev');
  } else {
    real.push('Discord');
  }
  if (env.SOLANA_RPC_URL) real.push('Solana at SOLANA_RPC_URL');
  else if (solana) standIns.push('Solana -> a local runtime with test SOL');
  console.log(`
  Real:      ${real.join('; ')}
  Stand-ins: ${standIns.join('; ') || 'none'}
  Data:      ${settings.dataDir} (kept; logs in logs/)
  Ctrl-C shuts down cleanly, a second Ctrl-C immediately. Up after ${((Date.now() - startedMs) / 1000).toFixed(1)} s.

CORD is ready at ${publicOrigin}`);
}
