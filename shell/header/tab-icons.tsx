import type { TabId } from '@cord/sdk/host';
import { Gauge, LayoutDashboard, ListChecks, type LucideIcon, Settings, Trophy, Users } from 'lucide-react';

/** The icon of each tab in the bottom bar and the sheet. */
export const TAB_ICONS: Readonly<Record<TabId, LucideIcon>> = {
  dashboard: LayoutDashboard,
  node: Gauge,
  tasks: ListChecks,
  leaderboard: Trophy,
  referrals: Users,
  settings: Settings,
};
