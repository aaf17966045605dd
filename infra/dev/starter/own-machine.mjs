// @ts-check
const OWN = 'localhost,127.0.0.1';

/**
 * Excludes this machine from proxies. Since Node 24, NODE_USE_ENV_PROXY sends every fetch through HTTP_PROXY unless
 * NO_PROXY names its host; then no system became ready.
 * @param {NodeJS.ProcessEnv} [env] of this process and its children
 */
export function reachOwnMachine(env = process.env) {
  const named = env.no_proxy ?? env.NO_PROXY;
  if (named === '*') return;
  env.no_proxy = named ? `${named},${OWN}` : OWN;
  env.NO_PROXY = env.no_proxy;
}
