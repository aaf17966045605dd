import { TEXTS } from '@cord/contracts/texts';
import type { Clock } from '@cord/kit/clock';
import { conflict, notFound } from '@cord/kit/problem';
import { isDuplicateKey } from '@cord/kit/store-errors';
import type { Connection } from 'mongoose';
import { SEED_TASKS } from './domain/seed.js';
import type { CatalogueTask } from './domain/task.js';

/** What an admin did to the catalogue. */
export interface CatalogueAct {
  adminId: string;
  action: 'create' | 'update' | 'remove';
  taskId: string;
  detail: Record<string, unknown>;
}

interface StoredTask extends Omit<CatalogueTask, 'id' | 'extra'> {
  _id: string;
  [unknown: string]: unknown;
}

/** How long a replica may show the catalogue before it looks again, ms; an admin's own answer is always fresh. */
const CACHE_MS = 2_000;

/** The catalogue of tasks, with its audit log. */
export interface Catalogue {
  all(): Promise<readonly CatalogueTask[]>;
  /** @throws Problem 404 'Task not found' */
  get(id: string): Promise<CatalogueTask>;
  /** @throws Problem 409 when the id is taken */
  create(task: Omit<CatalogueTask, 'position' | 'extra'>, act: { adminId: string }): Promise<CatalogueTask>;
  /** @throws Problem 404 'Task not found' */
  update(
    id: string,
    changes: Partial<Omit<CatalogueTask, 'id' | 'extra'>>,
    act: { adminId: string },
  ): Promise<CatalogueTask>;
  /** @throws Problem 404 'Task not found' */
  remove(id: string, act: { adminId: string }): Promise<void>;
  /** Writes the seeded tasks into an empty catalogue; what admins changed stays. */
  seed(): Promise<void>;
}

export function createCatalogue(connection: Connection, clock: Clock): Catalogue {
  const tasks = connection.collection<StoredTask>('catalogue');
  const audit = connection.collection('audit');
  const meta = connection.collection<{ _id: string }>('meta');
  let cache: { atMs: number; tasks: readonly CatalogueTask[] } | null = null;

  const read = async (): Promise<readonly CatalogueTask[]> => {
    const stored = await tasks.find({}).sort({ position: 1, _id: 1 }).toArray();
    cache = { atMs: performance.now(), tasks: stored.map(fromStored) };
    return cache.tasks;
  };
  const record = async ({ adminId, action, taskId, detail }: CatalogueAct): Promise<void> => {
    cache = null;
    await audit.insertOne({ at: clock.now(), adminId, action, taskId, detail });
  };
  const missing = () => notFound('task-not-found', TEXTS.taskNotFound);

  return {
    all: async () => (cache && performance.now() - cache.atMs < CACHE_MS ? cache.tasks : read()),
    async get(id) {
      const stored = await tasks.findOne({ _id: id });
      if (!stored) throw missing();
      return fromStored(stored);
    },
    async create(task, { adminId }) {
      const position = 1 + (await tasks.countDocuments({}));
      const created: CatalogueTask = { ...task, position, extra: {} };
      try {
        await tasks.insertOne(toStored(created));
      } catch (err) {
        if (isDuplicateKey(err)) throw conflict('task-exists', 'A task of this id is there already');
        throw err;
      }
      await record({ adminId, action: 'create', taskId: task.id, detail: toDetail(task) });
      return created;
    },
    async update(id, changes, { adminId }) {
      const stored = Object.keys(changes).length
        ? await tasks.findOneAndUpdate({ _id: id }, { $set: changes }, { returnDocument: 'after' })
        : await tasks.findOne({ _id: id });
      if (!stored) throw missing();
      await record({ adminId, action: 'update', taskId: id, detail: toDetail(changes) });
      return fromStored(stored);
    },
    async remove(id, { adminId }) {
      const { deletedCount } = await tasks.deleteOne({ _id: id });
      if (deletedCount === 0) throw missing();
      await record({ adminId, action: 'remove', taskId: id, detail: {} });
    },
    async seed() {
      // Once: a task that an admin took out must not come back at the next start.
      if (await meta.findOne({ _id: 'seeded' })) return;
      for (const task of SEED_TASKS) {
        await tasks.updateOne({ _id: task.id }, { $setOnInsert: withoutId(task) }, { upsert: true });
      }
      await meta.updateOne({ _id: 'seeded' }, { $set: { at: clock.now() } }, { upsert: true });
    },
  };
}

function withoutId({ id: _id, extra, ...task }: CatalogueTask): Omit<StoredTask, '_id'> {
  return { ...extra, ...task };
}

function toStored(task: CatalogueTask): StoredTask {
  return { _id: task.id, ...withoutId(task) } as StoredTask;
}

function fromStored(stored: StoredTask): CatalogueTask {
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
    position,
    extra,
  };
}

/** For the audit log: amounts as text, since a log line is read by people. */
function toDetail(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'bigint' ? value.toString() : value]),
  );
}
