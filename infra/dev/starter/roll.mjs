import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from './problems.mjs';

/**
 * What a service is started with: a version's own main.js.
 * @typedef {{version: string, main: string}} Release
 *
 * @typedef {object} Fleet the replicas of all services
 * @property {(service: string) => import('./supervised.mjs').Supervised[]} replicasOf
 * @property {(service: string, release: Release, readyMs: number) => Promise<import('./supervised.mjs').Supervised>} start one more; throws
 *   StartError when it does not become ready, and leaves nothing
 * @property {(service: string, replicas: import('./supervised.mjs').Supervised[]) => Promise<void>} serve calls go to these alone when it returns
 * @property {(replica: import('./supervised.mjs').Supervised) => Promise<void>} retire ends one that has no calls any more
 */

/**
 * Replaces the replicas of a service one by one: a new one that is ready takes calls beside the old one for a while, then the old one
 * gets no more, ends what it has, and goes. When a new one does not become ready or ends, all of it goes back the same way.
 * @param {object} given
 * @param {string} given.service @param {Release} given.release @param {Release} given.before what runs now
 * @param {Fleet} given.fleet @param {{readyMs: number, watchMs: number}} given.bounds
 * @param {(line: string) => void} given.say
 * @throws {StartError} with the reason, when it went back
 */
export async function roll({ service, release, before, fleet, bounds, say }) {
  const old = [...fleet.replicasOf(service)];
  const state = { serving: [...old], fresh: [], gone: 0 };
  try {
    for (const leaving of old) {
      const coming = await fleet.start(service, release, bounds.readyMs);
      state.fresh.push(coming);
      state.serving.push(coming);
      await fleet.serve(service, state.serving);
      say(`${coming.spec.name} is ready with ${release.version} and takes calls`);
      await staysUp([coming], bounds.watchMs);
      state.serving = state.serving.filter((one) => one !== leaving);
      state.gone += 1;
      await fleet.serve(service, state.serving);
      await fleet.retire(leaving);
      say(`${leaving.spec.name} with ${before.version} has ended`);
    }
    await staysUp(state.fresh, bounds.watchMs);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    say(`going back to ${before.version}: ${error.message}`);
    await goBack({ service, before, fleet, bounds, say, old, ...state });
    throw new StartError(`${service} stays at ${before.version}. ${error.message}`);
  }
}

/** @throws {StartError} naming one that has ended by then, started again or not */
async function staysUp(fresh, watchMs) {
  const pids = fresh.map(({ pid }) => pid);
  await sleep(watchMs);
  const ended = fresh.find((one, index) => one.pid === undefined || one.pid !== pids[index]);
  if (ended) throw new StartError(`${ended.spec.name} ended after it was ready: ${ended.spec.logFile}`);
}

/** Those that went come again before the new ones go. */
async function goBack({ service, before, fleet, bounds, say, old, fresh, gone }) {
  const serving = fleet.replicasOf(service).filter((one) => old.includes(one));
  try {
    for (let missing = old.length - serving.length; missing > 0; missing -= 1)
      serving.push(await fleet.start(service, before, bounds.readyMs));
  } catch (error) {
    throw new StartError(`${service} could not go back to ${before.version}, and runs what it has: ${error.message}`);
  }
  // A gateway that is away reads the same when it is back.
  await fleet.serve(service, serving).catch((error) => say(error.message));
  await Promise.all(fresh.map((one) => fleet.retire(one)));
  say(`${service} is at ${before.version} again${gone > 0 ? `, ${gone} started anew` : ''}`);
}
