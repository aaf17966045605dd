import {
  AppWindow,
  Gauge,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Settings,
  Shield,
  Trophy,
  Users,
} from 'lucide-react';

/** Icons that a tab may name. The list may only grow, because older modules use these names. */
const ICONS: Readonly<Record<string, LucideIcon>> = {
  dashboard: LayoutDashboard,
  gauge: Gauge,
  list: ListChecks,
  settings: Settings,
  shield: Shield,
  trophy: Trophy,
  users: Users,
};

export interface TabIconProps {
  /** A name of the list, or a path of 24 by 24 units; an unknown name is drawn as a neutral window. */
  icon: string | { readonly path: string };
  /** px */
  size?: number;
}

/** The icon of a tab, shown beside its name. */
export function TabIcon({ icon, size = 24 }: TabIconProps) {
  if (typeof icon === 'string') {
    const Icon = Object.hasOwn(ICONS, icon) ? ICONS[icon] : undefined;
    return Icon ? <Icon size={size} aria-hidden="true" /> : <AppWindow size={size} />;
  }
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={icon.path} />
    </svg>
  );
}
