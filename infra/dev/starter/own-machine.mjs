// @ts-check
const OWN = 'localhost,127.0.0.1';

/**
 * Calls to this machine go through no proxy: since Node 24 NODE_USE_ENV_PROXY sends every fetch through HTTP_PROXY whose host NO_PROXY does
 * not name, and no system became ready.
 * @param {NodeJS.ProcessEnv} [env] of this process and of those that it starts
 */
export function reachOwnMachine(env = process.env) {
  const named = env.no_proxy ?? env.NO_PROXY;
  if (named === '*') return;
  env.no_proxy = named ? `${named},${OWN}` : OWN;
  env.NO_PROXY = env.no_proxy;
}
