import type { TaskMeasure } from '@cord/contracts/http/tasks';

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
  /** Fields that an older or newer version wrote; kept (decisions, Interface). */
  extra: Record<string, unknown>;
}
