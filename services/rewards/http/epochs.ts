import type { EpochRow } from '@cord/contracts/events/rewards';
import type { Epoch } from '@cord/contracts/http/epochs';
import { rewardEndpoints } from '@cord/contracts/http/rewards';
import type { Clock } from '@cord/kit/clock';
import type { Http } from '@cord/kit/http';
import { badInput, conflict, forbidden, notFound, refused } from '@cord/kit/problem';
import { epochAt, withEpoch, withoutEpoch } from '../domain/epochs.js';
import type { EpochDesk } from '../epoch-desk.js';

type Rows = readonly EpochRow[];

const missing = () => notFound('epoch-not-found', 'No such epoch');

/** The epoch in force and those of a time for everyone, the table for admins (decisions, Epochs). */
export function epochRoutes(http: Http, { desk, clock }: { desk: EpochDesk; clock: Clock }): void {
  const { table } = desk;
  const put = async (adminId: string, verb: string, target: string, rowOf: (epochs: Rows) => EpochRow) => {
    await desk.change({ adminId, verb, target }, (epochs) => {
      const result = withEpoch(epochs, rowOf(epochs), clock.now());
      if ('refusal' in result) throw badInput(result.refusal.path, result.refusal.message);
      return result.epochs;
    });
    return presentEpoch((await table()).find(({ id }) => id === target) as EpochRow);
  };

  http.publicRoute(rewardEndpoints.currentEpoch, async ({ now }) => {
    const current = epochAt(await table(), now);
    return current ? presentEpoch(current) : null;
  });

  http.route(rewardEndpoints.epochs, async ({ query: { from, to }, user }) => {
    if (from === undefined || to === undefined) {
      if (!user.isAdmin) throw forbidden('admin-only', 'Only admins may see the whole table; give from and to');
      return (await table()).map(presentEpoch);
    }
    const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
    return (await table()).filter(({ startAt, endAt }) => startAt <= toMs && endAt > fromMs).map(presentEpoch);
  });

  http.route(rewardEndpoints.createEpoch, ({ body, user }) =>
    put(user.id, 'create', body.id, (epochs) => {
      if (epochs.some((each) => each.id === body.id))
        throw conflict('epoch-exists', 'An epoch of this id is there already');
      return {
        id: body.id,
        name: body.name,
        description: body.description,
        multiplierHundredths: Math.round(body.rewardsMultiplier * 100),
        startAt: Date.parse(body.startDate),
        endAt: Date.parse(body.endDate),
      };
    }),
  );

  http.route(rewardEndpoints.updateEpoch, ({ params, body, user }) =>
    put(user.id, 'update', params.id, (epochs) => {
      const before = epochs.find((each) => each.id === params.id);
      if (!before) throw missing();
      return {
        ...before,
        name: body.name ?? before.name,
        description: body.description ?? before.description,
        multiplierHundredths:
          body.rewardsMultiplier === undefined ? before.multiplierHundredths : Math.round(body.rewardsMultiplier * 100),
        startAt: body.startDate === undefined ? before.startAt : Date.parse(body.startDate),
        endAt: body.endDate === undefined ? before.endAt : Date.parse(body.endDate),
      };
    }),
  );

  http.route(rewardEndpoints.removeEpoch, async ({ params, user }) => {
    await desk.change({ adminId: user.id, verb: 'remove', target: params.id }, (epochs) => {
      if (!epochs.some((each) => each.id === params.id)) throw missing();
      const left = withoutEpoch(epochs, params.id, clock.now());
      if (!left) throw refused('epoch-begun', 'An epoch that has begun, or is about to, cannot be taken out');
      return left;
    });
    return undefined;
  });
}

/** An epoch as everybody sees it. */
export function presentEpoch(row: EpochRow): Epoch {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    rewardsMultiplier: row.multiplierHundredths / 100,
    startDate: new Date(row.startAt).toISOString(),
    endDate: new Date(row.endAt).toISOString(),
  };
}
