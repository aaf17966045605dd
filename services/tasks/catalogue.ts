import { TASKS_MAX, UNKNOWN_FIELDS_MAX } from '@cord/contracts/http/tasks';
import { TEXTS } from '@cord/contracts/texts';
import type { AuditLog } from '@cord/kit/audit-log';
import type { Clock } from '@cord/kit/clock';
import { collection } from '@cord/kit/collection';
import { createKeyedMutex } from '@cord/kit/keyed-mutex';
import { badInput, conflict, notFound } from '@cord/kit/problem';
import { alreadyChanged } from '@cord/kit/second-operator';
import { createShared } from '@cord/kit/shared';
import { insertOnce } from '@cord/kit/store-errors';
import type { Connection } from 'mongoose';
import { SEED_TASKS } from './domain/seed.js';
import { type CatalogueTask, withGoalSince } from './domain/task.js';

interface StoredTask extends Omit<CatalogueTask, 'id' | 'extra'> {
  _id: string;
  [unknown: string]: unknown;
}

/** Cache lifetime of the catalogue in a replica, ms; responses to an admin are always fresh. */
const CACHE_MS = 2_000;

/** The admin who changes the catalogue, with a reason; clients other than the operators' room may omit it. */
interface Act {
  adminId: string;
  reason?: string | undefined;
}

/** Manages the catalogue of tasks and records changes in the audit log. */
export type Catalogue = ReturnType<typeof createCatalogue>;

export const CATALOGUE = collection<StoredTask>({
  name: 'catalogue',
  document: 'task',
  indexes: [{ key: { position: 1 } }],
});
/** Marks when the catalogue was seeded. */
export const META = collection<{ _id: string; at: number }>({ name: 'meta' });

export function createCatalogue(connection: Connection, clock: Clock, audit: AuditLog) {
  const tasks = CATALOGUE.in(connection);
  const meta = META.in(connection);
  const shown = createShared<readonly CatalogueTask[]>(CACHE_MS);

  const read = (): Promise<readonly CatalogueTask[]> =>
    tasks.find({}).sort({ position: 1, _id: 1 }).map(fromStored).toArray();
  /** Writes the audit entry; called before the act (services/README.md#sign-in-and-rights). */
  const record = ({ adminId, reason }: Act, action: string, target: string, detail: Record<string, unknown>) =>
    audit.write({
      adminId,
      action: `task.${action}`,
      target,
      detail: { ...(reason === undefined ? {} : { reason }), ...detail },
    });
  const missing = () => notFound('task-not-found', TEXTS.taskNotFound);
  const creating = createKeyedMutex();
  const full = () =>
    badInput('id', `would be one more than the ${TASKS_MAX} that the catalogue holds`, {
      de: `wäre eine mehr als die ${TASKS_MAX}, die der Katalog fasst`,
    });
  const taken = () => conflict('task-exists', 'A task with this ID already exists');

  return {
    all: () => shown.get(performance.now(), read),
    /** The uncached catalogue, for admins. */
    fresh: read,
    /** @throws Problem 404 'Task not found' */
    async get(id: string) {
      const stored = await tasks.findOne({ _id: id });
      if (!stored) throw missing();
      return fromStored(stored);
    },
    /**
     * Creates a task. Calls run one after the other in this process, so replicas can exceed the limit by one task each at most.
     * @throws Problem 409 when the id is taken, 400 when the catalogue is full
     */
    create: (task: Omit<CatalogueTask, 'position' | 'goalSinceMs'>, act: Act) =>
      creating.run('', async () => {
        if (await tasks.findOne({ _id: task.id })) throw taken();
        const others = await read();
        if (others.length >= TASKS_MAX) throw full();
        await record(act, 'create', task.id, { before: null, after: task });
        const created: CatalogueTask = {
          ...task,
          goalSinceMs: clock.now(),
          position: 1 + (others.at(-1)?.position ?? 0),
          extra: set(task.extra),
        };
        if (!(await insertOnce(() => tasks.insertOne(toStored(created))))) throw taken();
        shown.forget();
        return created;
      }),
    /**
     * @param changes values of the unknown fields in `extra`; null removes a field
     * @throws Problem 404 'Task not found', 409 when a field was changed meanwhile, 400 when the task would have too many unknown fields
     */
    async update(id: string, changes: Partial<Omit<CatalogueTask, 'id' | 'goalSinceMs'>>, act: Act) {
      const before = await tasks.findOne({ _id: id });
      if (!before) throw missing();
      const { extra = {}, ...fields } = changes;
      const kept = Object.keys(set({ ...fromStored(before).extra, ...extra }));
      if (!isEmpty(extra) && kept.length > UNKNOWN_FIELDS_MAX)
        throw badInput(Object.keys(extra).at(-1) ?? '', `a task keeps at most ${UNKNOWN_FIELDS_MAX} unknown fields`);
      await record(act, 'update', id, { before: partOf(fromStored(before), changes), after: changes });
      const $set = { ...set(extra), ...withGoalSince(fromStored(before), fields, clock.now()) };
      const out: Record<string, ''> = {};
      for (const name of Object.keys(extra)) if (extra[name] === null) out[name] = '';
      const update = { ...(isEmpty($set) ? {} : { $set }), ...(isEmpty(out) ? {} : { $unset: out }) };
      // A call that stalled after its audit entry must not undo a later change of these fields.
      const asRead = Object.fromEntries(Object.keys(fields).map((field) => [field, before[field] ?? null]));
      const stored = isEmpty(update)
        ? before
        : await tasks.findOneAndUpdate({ ...asRead, _id: id }, update, { returnDocument: 'after' });
      if (!stored) throw (await tasks.findOne({ _id: id })) ? alreadyChanged() : missing();
      shown.forget();
      return fromStored(stored);
    },
    /** @throws Problem 404 'Task not found' */
    async remove(id: string, act: Act) {
      const before = await tasks.findOne({ _id: id });
      if (!before) throw missing();
      await record(act, 'remove', id, { before: fromStored(before), after: null });
      await tasks.deleteOne({ _id: id });
      shown.forget();
    },
    /** Writes the seeded tasks into an empty catalogue, once. */
    async seed() {
      // Only once: a task that an admin removed must not come back at the next start.
      if (await meta.findOne({ _id: 'seeded' })) return;
      for (const task of SEED_TASKS) {
        await tasks.updateOne({ _id: task.id }, { $setOnInsert: withoutId(task) }, { upsert: true });
      }
      await meta.updateOne({ _id: 'seeded' }, { $set: { at: clock.now() } }, { upsert: true });
    },
  };
}

/** Returns the former values of the changed fields. */
function partOf(before: CatalogueTask, changes: Partial<CatalogueTask>): Record<string, unknown> {
  return Object.fromEntries(Object.keys(changes).map((field) => [field, before[field as keyof CatalogueTask]]));
}

/** Returns the unknown fields with a value; null means removed. */
function set(extra: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(extra).filter(([, value]) => value !== null));
}

function isEmpty(fields: object): boolean {
  return Object.keys(fields).length === 0;
}

function withoutId({ id: _id, extra, ...task }: CatalogueTask): Omit<StoredTask, '_id'> {
  return { ...extra, ...task };
}

function toStored(task: CatalogueTask): StoredTask {
  return { _id: task.id, ...withoutId(task) } as StoredTask;
}

function fromStored(found: StoredTask): CatalogueTask {
  const stored = CATALOGUE.read(found);
  const {
    _id,
    type,
    title,
    description,
    rewardMicro,
    maxProgress,
    measure,
    socialUrl,
    expiresAtMs,
    goalSinceMs,
    position,
    ...extra
  } = stored;
  return {
    id: _id,
    type,
    title,
    description,
    rewardMicro,
    maxProgress,
    measure,
    socialUrl,
    expiresAtMs,
    ...(goalSinceMs === undefined ? {} : { goalSinceMs }),
    position,
    extra,
  };
}
