import {
  Activity,
  HandCoins,
  Layers,
  LifeBuoy,
  type LucideIcon,
  Package,
  Scale,
  ScrollText,
  Users,
} from 'lucide-react';
import type { ComponentType } from 'react';

/** A view of the room: its own file, which comes when it is opened. */
interface View {
  icon: LucideIcon;
  /** Behind `FIRST_KEY` (keys.ts). */
  key: string;
  load(): Promise<{ default: ComponentType }>;
}

/** Every view by its name in the address, in the order of the list. */
export const VIEWS = {
  overview: { icon: Activity, key: 'o', load: () => import('../overview/overview-view') },
  support: { icon: LifeBuoy, key: 's', load: () => import('../support/support-view') },
  users: { icon: Users, key: 'u', load: () => import('../users/users-view') },
  epochs: { icon: Layers, key: 't', load: () => import('../epochs/epochs-view') },
  holds: { icon: HandCoins, key: 'h', load: () => import('../holds/holds-view') },
  corrections: { icon: Scale, key: 'c', load: () => import('../corrections/corrections-view') },
  modules: { icon: Package, key: 'm', load: () => import('../modules/modules-view') },
  audit: { icon: ScrollText, key: 'a', load: () => import('../audit/audit-view') },
} as const satisfies Record<string, View>;

export type ViewId = keyof typeof VIEWS;
export const VIEW_IDS = Object.keys(VIEWS) as [ViewId, ...ViewId[]];
