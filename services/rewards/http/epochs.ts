import type { EpochRow } from '@cord/contracts/events/rewards';
import { type Epoch, rewardEndpoints } from '@cord/contracts/http/rewards';
import type { Clock } from '@cord/kit/clock';
import type { Http } from '@cord/kit/http';
import type { Relay } from '@cord/kit/outbox';
import { badInput, conflict, notFound, refused } from '@cord/kit/problem';
import { epochAt, withEpoch, withoutEpoch } from '../domain/epochs.js';
import { afterEpochs, type RewardsStore } from '../store.js';

/** Name of the one document that holds the table. */
export const TABLE = 'table';

const missing = () => notFound('epoch-not-found', 'No such epoch');

/** The epoch in force for everyone, the table for admins (decisions, Epochs). */
export function epochRoutes(http: Http, store: RewardsStore, relay: Relay, clock: Clock): void {
  const table = async (): Promise<EpochRow[]> => (await store.epochs.get(TABLE))?.epochs ?? [];
  const put = async (rowOf: (epochs: readonly EpochRow[]) => EpochRow): Promise<EpochRow> => {
    const row = await store.epochs.change(TABLE, (document) => {
      const wanted = rowOf(document.epochs);
      const result = withEpoch(document.epochs, wanted, clock.now());
      if ('refusal' in result) throw badInput(result.refusal.path, result.refusal.message);
      return { doc: afterEpochs(document, result.epochs, clock.now()), result: wanted };
    });
    void relay.relayNow(TABLE);
    return row;
  };

  http.publicRoute(rewardEndpoints.currentEpoch, async ({ now }) => {
    const current = epochAt(await table(), now);
    return current ? present(current) : null;
  });

  http.route(rewardEndpoints.epochs, async () => (await table()).map(present));

  http.route(rewardEndpoints.createEpoch, async ({ body, user, now }) => {
    const row = await put((epochs) => {
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
    });
    await store.audit({ at: now, adminId: user.id, action: 'epoch.create', target: row.id, detail: { ...row } });
    return present(row);
  });

  http.route(rewardEndpoints.updateEpoch, async ({ params, body, user, now }) => {
    const row = await put((epochs) => {
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
    });
    await store.audit({ at: now, adminId: user.id, action: 'epoch.update', target: row.id, detail: { ...row } });
    return present(row);
  });

  http.route(rewardEndpoints.removeEpoch, async ({ params, user, now }) => {
    await store.epochs.change(TABLE, (document) => {
      if (!document.epochs.some((each) => each.id === params.id)) throw missing();
      const epochs = withoutEpoch(document.epochs, params.id, clock.now());
      if (!epochs) throw refused('epoch-begun', 'An epoch that has begun cannot be taken out');
      return { doc: afterEpochs(document, epochs, clock.now()), result: undefined };
    });
    void relay.relayNow(TABLE);
    await store.audit({ at: now, adminId: user.id, action: 'epoch.remove', target: params.id, detail: {} });
    return undefined;
  });
}

function present(row: EpochRow): Epoch {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    rewardsMultiplier: row.multiplierHundredths / 100,
    startDate: new Date(row.startAt).toISOString(),
    endDate: new Date(row.endAt).toISOString(),
  };
}
