import { createStore, type TabId } from '@cord/sdk';
import { MODULE_TAB, prepareModuleTab, SETTINGS } from '../app/bundles';
import { fetchAhead } from '../app/later-bundle';
import { isModuleTab } from './module-tabs';

/** Whether Settings is to be rendered ahead of its being shown. */
export const settingsWanted = createStore(false);

/**
 * Has a tab's page ready ahead of need: fetched, and rendered out of sight, so that the switch only has to show it. A failure
 * is told by the real load.
 */
export async function prepareTab(tab: TabId): Promise<void> {
  await prepare(tab, null);
}

/** The same for a tab that is pointed at: its page is laid out in its place, too. */
export async function prepareTabInPlace(tab: TabId): Promise<void> {
  await prepare(tab, document.getElementById('page'));
}

async function prepare(tab: TabId, place: HTMLElement | null): Promise<void> {
  if (tab === 'settings') settingsWanted.set(await fetchAhead(SETTINGS));
  if (isModuleTab(tab)) await Promise.all([fetchAhead(MODULE_TAB), prepareModuleTab(tab, place)]);
}
