import type { PartsOf } from '@cord/sdk';
import { TasksCard } from './tasks-card';

/** What Tasks lends to other pages. */
export const parts = { 'tasks-card': TasksCard } satisfies PartsOf<'tasks'>;
