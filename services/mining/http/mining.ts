import type { Endpoint } from '@cord/contracts/endpoint';
import { miningEndpoints as endpoints } from '@cord/contracts/http/mining';
import type { AddressHash } from '@cord/kit/address';
import type { Call, Http } from '@cord/kit/http';
import type { MiningNode, NodeResult } from '../node/node.js';
import { accountNotOpenYet, withProblems } from '../problems.js';
import type { DriftMeter } from './drift.js';
import { currentSession, miningResult, nodeStats, rateNow, sessionAnswer, updatedUser } from './present.js';

/** Mounts start, save, stop and read, for both client APIs. */
export function mountMining(http: Http, node: MiningNode, drift: DriftMeter, addressHash: AddressHash): void {
  const start = (call: Pick<Call<Endpoint>, 'user' | 'ip'>) =>
    withProblems(() => node.start(call.user.id, addressHash(call.ip)));
  const save = ({ user, ip }: Pick<Call<Endpoint>, 'user' | 'ip'>, sessionId: string | null) =>
    withProblems(() => node.save(user.id, sessionId, addressHash(ip)));
  // A running node is always stopped. Only calls without a node to stop count against the budget.
  const stop = async (call: Pick<Call<Endpoint>, 'user' | 'takeFromBudget'>, sessionId: string | null) => {
    const result = await withProblems(() => node.stop(call.user.id, sessionId));
    if (!result.changed) await call.takeFromBudget();
    return result;
  };

  http.route(endpoints.start, async (call) => startedSession(await start(call)));
  http.route(endpoints.startB, async (call) => startedSession(await start(call)));
  http.route(endpoints.activate, async (call) => nodeResult(await start(call)));
  http.route(endpoints.deactivate, async (call) => nodeResult(await stop(call, null)));
  http.route(endpoints.stopB, async (call) => miningResult(await stop(call, null)));

  http.route(endpoints.save, async (call) => {
    const result = await save(call, call.params.sessionId);
    drift.compare('save', call.body.earningsToAdd, result.creditedMicro);
    return miningResult(result);
  });
  http.route(endpoints.update, async (call) => {
    const result = await save(call, call.params.sessionId);
    drift.compare('update', call.body.earnings, earnedOf(result));
    return miningResult(result);
  });
  http.route(endpoints.updateB, async (call) => {
    const result = await save(call, null);
    drift.compare('update', call.body.earnings, earnedOf(result));
    return miningResult(result);
  });
  http.route(endpoints.end, async (call) => {
    const result = await stop(call, call.params.sessionId);
    drift.compare('end', call.body.finalEarnings, earnedOf(result));
    return miningResult(result);
  });

  http.route(endpoints.current, async ({ user, ip }) =>
    sessionAnswer(await withProblems(() => node.current(user.id, addressHash(ip)))),
  );
  http.route(endpoints.rate, async ({ user }) => {
    const seen = await node.readSettled(user.id);
    if (!seen) throw accountNotOpenYet();
    return rateNow(seen.account, seen.moment);
  });
  http.route(endpoints.stats, async ({ user }) => {
    const seen = await node.readSettled(user.id);
    if (!seen) throw accountNotOpenYet();
    return nodeStats(seen.account, seen.moment);
  });
}

function startedSession(result: NodeResult) {
  const session = sessionAnswer(result);
  if (session === null) throw new Error('a started node has a session');
  return session;
}

function nodeResult(result: NodeResult) {
  return {
    success: true as const,
    updatedUser: updatedUser(result.account, result.moment),
    session: currentSession(result),
  };
}

/** Clients count the whole session in `earnings` and `finalEarnings`. */
function earnedOf(result: NodeResult): bigint {
  return result.session?.earnedMicro ?? 0n;
}
