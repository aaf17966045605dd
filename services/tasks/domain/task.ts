import type { TaskMeasure } from '@cord/contracts/rules/task-kinds';

/** A task of the catalogue, as it is stored. */
export interface CatalogueTask {
  id: string;
  type: string;
  title: string;
  description: string;
  /** Base reward, micro-CORD. */
  rewardMicro: bigint;
  maxProgress: number;
  measure: TaskMeasure | null;
  socialUrl: string | null;
  expiresAtMs: number | null;
  /** Order on the page. */
  position: number;
  /** Fields that an older or newer version wrote; kept. */
  extra: Record<string, unknown>;
}

/** What a user has under a task's id. An id is an admin's text: what every object has by itself is no claim or visit. */
export function ofTask<T>(byId: Readonly<Record<string, T>>, id: string): T | undefined {
  return Object.hasOwn(byId, id) ? byId[id] : undefined;
}
