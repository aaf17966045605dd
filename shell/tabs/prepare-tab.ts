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
  if (tab === 'settings') settingsWanted.set(await fetchAhead(SETTINGS));
  if (isModuleTab(tab)) await Promise.all([fetchAhead(MODULE_TAB), prepareModuleTab(tab)]);
}
