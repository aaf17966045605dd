import { plainJson } from '@cord/kit/plain-json';
import type { TaskStore } from './store.js';

/** Returns all data of a user as plain JSON; amounts in micro-CORD as text. */
export async function exportOf(store: TaskStore, userId: string): Promise<Record<string, unknown>> {
  const [record, streak] = await Promise.all([store.records.get(userId), store.streaks.get(userId)]);
  return plainJson({ tasks: record, checkIns: streak });
}
