import type { EpochRow } from '@cord/contracts/events/rewards';
import type { Epoch } from '@cord/contracts/http/epochs';
import { rewardEndpoints } from '@cord/contracts/http/rewards';
import { LIVE_CHARS_MAX } from '@cord/contracts/live/kinds';
import { runningRpc } from '@cord/contracts/rpc/ledger';
import { epochAt } from '@cord/contracts/rules/epochs';
import { bookAt } from '@cord/contracts/rules/rule-book';
import type { Clock } from '@cord/kit/clock';
import type { Http } from '@cord/kit/http';
import { languageOf } from '@cord/kit/http/language';
import type { Nats } from '@cord/kit/nats';
import { badInput, conflict, forbidden, notFound, refused } from '@cord/kit/problem';
import { descriptionOf, EPOCH_LANGUAGES, withEpoch, withoutEpoch } from '../domain/epochs.js';
import { previewOf, spansOf } from '../domain/preview.js';
import type { EpochAct, EpochDesk } from '../epoch-desk.js';
import { booksOf } from '../store.js';

type Rows = readonly EpochRow[];

const missing = () => notFound('epoch-not-found', 'Epoch not found');

interface Parts {
  desk: EpochDesk;
  clock: Clock;
  nats: Pick<Nats, 'request'>;
}

/** Registers the epoch routes: the current epoch and a time range for everyone, the table for admins (services/contracts/rules/README.md#epochs). */
export function epochRoutes(http: Http, { desk, clock, nats }: Parts): void {
  const { table } = desk;
  /** Returns the table with a changed row. @throws Problem 400 naming the invalid field */
  const withRow = (epochs: Rows, row: EpochRow): EpochRow[] => {
    const result = withEpoch(epochs, row, clock.now());
    if ('refusal' in result) {
      const { path, message, translations } = result.refusal;
      throw badInput(path, message, translations);
    }
    return result.epochs;
  };
  /** @throws Problem 404, or 422 for an epoch that has begun */
  const withoutRow = (epochs: Rows, id: string): EpochRow[] => {
    if (!epochs.some((each) => each.id === id)) throw missing();
    const left = withoutEpoch(epochs, id, clock.now());
    if (!left) throw refused('epoch-begun', 'An epoch that has started or is about to start cannot be deleted');
    return left;
  };
  /** Returns the audit data of an act on one epoch. */
  const actOn = (verb: string, target: string, by: Pick<EpochAct, 'adminId' | 'reason'>): EpochAct => ({
    ...by,
    action: `epoch.${verb}`,
    target,
    of: ({ epochs }) => epochs.find(({ id }) => id === target) ?? null,
  });
  const put = async (act: EpochAct, rowOf: (epochs: Rows) => EpochRow) => {
    await desk.change(act, (rows) => ({ ...rows, epochs: withRow(rows.epochs, rowOf(rows.epochs)) }));
    return presentEpoch((await table()).find(({ id }) => id === act.target) as EpochRow);
  };

  /** Presents an epoch in the reader's language; operators get the stored text, because they edit it. */
  const translated = (row: EpochRow, koa: Parameters<typeof languageOf>[0]) =>
    presentEpoch({ ...row, description: descriptionOf(row, languageOf(koa, EPOCH_LANGUAGES)) });

  http.publicRoute(rewardEndpoints.currentEpoch, async ({ now, koa }) => {
    const current = epochAt(await table(), now);
    return current ? translated(current, koa) : null;
  });

  http.route(rewardEndpoints.epochs, async ({ query: { from, to }, user, koa }) => {
    if (from === undefined || to === undefined) {
      if (!user.isAdmin) throw forbidden('admin-only', 'Only admins may see the whole table. Please set from and to');
      return (await table()).map(presentEpoch);
    }
    const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
    return (await table())
      .filter(({ startAt, endAt }) => startAt <= toMs && endAt > fromMs)
      .map((row) => translated(row, koa));
  });

  http.route(rewardEndpoints.previewEpoch, async ({ body: { id, change }, now }) => {
    const before = await table();
    const present = before.find((each) => each.id === id);
    const row = change && rowAfter(present ?? rowOfNew(id), change);
    const after = row ? withRow(before, row) : withoutRow(before, id);
    const spans = spansOf(before, after, now);
    const atMs = spans[0]?.fromMs ?? Math.max(now, (row ?? present)?.startAt ?? now);
    const running = await nats.request(runningRpc, { at: atMs });
    return previewOf(
      { before, after, spans, atMs, nowMs: now, book: bookAt(booksOf((await desk.rows()).books), atMs) },
      running,
    );
  });

  http.route(rewardEndpoints.createEpoch, ({ body: { id, reason, ...fields }, user }) =>
    put(actOn('create', id, { adminId: user.id, reason }), (epochs) => {
      if (epochs.some((each) => each.id === id)) throw conflict('epoch-exists', 'An epoch with this ID already exists');
      return rowAfter(rowOfNew(id), fields);
    }),
  );

  http.route(rewardEndpoints.updateEpoch, ({ params: { id }, body: { reason, ...fields }, user }) =>
    put(actOn('update', id, { adminId: user.id, reason }), (epochs) => {
      const before = epochs.find((each) => each.id === id);
      if (!before) throw missing();
      return rowAfter(before, fields);
    }),
  );

  http.route(rewardEndpoints.removeEpoch, async ({ params: { id }, query: { reason }, user }) => {
    await desk.change(actOn('remove', id, { adminId: user.id, reason }), (rows) => ({
      ...rows,
      epochs: withoutRow(rows.epochs, id),
    }));
    return undefined;
  });
}

/** Defaults of a new epoch; its times are 0, so that the refusal names a missing time. */
const rowOfNew = (id: string): EpochRow => ({
  id,
  name: id,
  description: '',
  multiplierHundredths: 100,
  startAt: 0,
  endAt: 0,
});

/** Returns a row with the given fields changed. */
function rowAfter(before: EpochRow, body: { [Field in keyof Omit<Epoch, 'id'>]?: Epoch[Field] | undefined }): EpochRow {
  const { name, description, rewardsMultiplier, startDate, endDate } = body;
  return {
    ...before,
    name: name ?? before.name,
    description: description ?? before.description,
    multiplierHundredths:
      rewardsMultiplier === undefined ? before.multiplierHundredths : Math.round(rewardsMultiplier * 100),
    startAt: startDate === undefined ? before.startAt : Date.parse(startDate),
    endAt: endDate === undefined ? before.endAt : Date.parse(endDate),
  };
}

/** Returns the live message of a table: the epochs that are not over, as many as one event can hold. */
export function liveEpochs({ seq, epochs }: { seq: string; epochs: readonly EpochRow[] }, nowMs: number) {
  const sent: Epoch[] = [];
  let room = LIVE_CHARS_MAX - JSON.stringify({ seq, epochs: sent }).length;
  for (const row of epochs) {
    if (row.endAt <= nowMs) continue;
    const epoch = presentEpoch(row);
    room -= JSON.stringify(epoch).length + 1;
    if (room < 0) break;
    sent.push(epoch);
  }
  return { seq, epochs: sent };
}

/** Returns an epoch as shown to everybody. */
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
