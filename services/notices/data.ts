import type { DataPlan } from '@cord/kit/migration/plan';

/** Notices stores nothing but what the kit does for every service. */
export const data: DataPlan = [];
