import type { Parts } from '@cord/sdk';
import { CheckinButton } from './checkin-button';
import { TasksCard } from './tasks-card';

/** What Tasks lends to other pages. */
export const parts = { 'tasks-card': TasksCard, 'checkin-button': CheckinButton } satisfies Parts;
