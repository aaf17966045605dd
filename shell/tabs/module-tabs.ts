import type { TabId } from '@cord/sdk/host';

/** The tabs that are pages of modules, and which module; dashboard and settings are the shell's own (design.md). */
export const MODULE_OF_TAB = {
  node: 'mfe_mining',
  tasks: 'mfe_tasks',
  leaderboard: 'mfe_leaderboard',
  referrals: 'mfe_referrals',
} as const satisfies Partial<Record<TabId, string>>;

export type ModuleTab = keyof typeof MODULE_OF_TAB;

export const MODULE_TABS = Object.keys(MODULE_OF_TAB) as ModuleTab[];

export function isModuleTab(tab: TabId): tab is ModuleTab {
  return tab in MODULE_OF_TAB;
}
