import { type LazyFile, lazyFile } from '@cord/sdk';
import {
  Activity,
  Ban,
  BookOpen,
  HandCoins,
  Layers,
  LifeBuoy,
  type LucideIcon,
  Package,
  Scale,
  ScrollText,
  Undo2,
  Users,
} from 'lucide-react';
import type { ComponentType } from 'react';

/** A view of the room: a lazy file of its own. */
interface View {
  icon: LucideIcon;
  /** The key after `FIRST_KEY` (keys.ts). */
  key: string;
  file: LazyFile;
}

const view = (load: () => Promise<{ default: ComponentType }>) => lazyFile(() => load().then((file) => file.default));

/** All views by their name in the URL, in the order of the list. */
export const VIEWS = {
  overview: { icon: Activity, key: 'o', file: view(() => import('../overview/overview-view')) },
  support: { icon: LifeBuoy, key: 's', file: view(() => import('../support/support-view')) },
  users: { icon: Users, key: 'u', file: view(() => import('../users/users-view')) },
  epochs: { icon: Layers, key: 't', file: view(() => import('../epochs/epochs-view')) },
  rules: { icon: BookOpen, key: 'r', file: view(() => import('../rules/rules-view')) },
  holds: { icon: HandCoins, key: 'h', file: view(() => import('../holds/holds-view')) },
  corrections: { icon: Scale, key: 'c', file: view(() => import('../corrections/corrections-view')) },
  credits: { icon: Ban, key: 'p', file: view(() => import('../credits/credits-view')) },
  refunds: { icon: Undo2, key: 'b', file: view(() => import('../refunds/refunds-view')) },
  modules: { icon: Package, key: 'm', file: view(() => import('../modules/modules-view')) },
  audit: { icon: ScrollText, key: 'a', file: view(() => import('../audit/audit-view')) },
} as const satisfies Record<string, View>;

export type ViewId = keyof typeof VIEWS;
export const VIEW_IDS = Object.keys(VIEWS) as [ViewId, ...ViewId[]];
