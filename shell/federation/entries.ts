/** A text in its available languages; English is always present. */
export type Translated = Readonly<Record<string, string>> & { readonly en: string };

/** Icon of a tab: a name of the design system, or a path of 24 by 24 units. */
export type TabIconName = string | { readonly path: string };

/** A tab of a module (infra/build/module-facts.ts). */
export interface TabEntry {
  readonly id: string;
  /** The module that provides the page. */
  readonly module: string;
  readonly words: Translated;
  readonly icon: TabIconName;
  readonly order: number;
  readonly for: 'everyone' | 'signed-in' | 'admins';
  /** Null for most tabs. */
  readonly badge: TabBadge | null;
  /** Name in the menu under the avatar; null when it is not listed there. */
  readonly menu: { readonly words: Translated } | null;
}

/** Marks a tab while a boolean field of the user's record has this value. */
export interface TabBadge {
  readonly field: string;
  readonly is: boolean;
  /** Meaning of the mark, shown after the tab's name: `today is open`. */
  readonly words: Translated;
}

/** Space reserved for a part while it loads; only parts with a card show their failure. */
export type Room = 'card' | 'ring-card' | 'chart-card' | 'banner' | 'row' | 'cell' | 'button' | 'none';

/** A part of a module. */
export interface PartEntry {
  /** For example `wallet/badge-card`. */
  readonly name: `${string}/${string}`;
  readonly words: Translated;
  readonly room: Room;
  /** Field of the user's record that suppresses the reserved space; null to always reserve it. */
  readonly roomUnless: string | null;
  readonly place: string | null;
  readonly order: number;
  /** Field of the user's record that must be true for the part to show; null for all users. */
  readonly when: string | null;
  /** Whether its module is switched off. */
  readonly off: boolean;
}

/** A published build of a module. */
export interface Release {
  version: string;
  /** Address of its mf-manifest.json. */
  entry: string;
  /** Hashes of the manifest and the entry script by name, as integrity attributes; none under hot reload. */
  integrity?: Readonly<Record<string, string>>;
  /** Caret range of compatible sdk versions. */
  sdk: string;
  /** Caret range of compatible design system versions; none under hot reload, which uses the local one. */
  ui?: string;
  /** Switched off by an operator; its place shows that. */
  off?: boolean;
}

/** A release for a share (0 to 1) of the browsers, with all facts of its version. */
export type Canary = Release & { share: number };

/** Content of /remotes.json. */
export interface Published {
  /** Changes with each switch. */
  readonly version: string;
  /** Latest build of the shell; null when unknown. */
  readonly shell: string | null;
  /** Releases selected for this browser. */
  readonly modules: Readonly<Record<string, Release>>;
  readonly tabs: readonly TabEntry[];
  readonly parts: readonly PartEntry[];
}

const ROOMS: readonly unknown[] = ['card', 'ring-card', 'chart-card', 'banner', 'row', 'cell', 'button', 'none'];
const AUDIENCES: readonly unknown[] = ['everyone', 'signed-in', 'admins'];
const OWN_TABS = ['dashboard', 'settings'] as const;

/** A tab of the shell, which no module may provide. */
export type OwnTabId = (typeof OWN_TABS)[number];

export function isOwnTab(tab: string): tab is OwnTabId {
  return (OWN_TABS as readonly string[]).includes(tab);
}

/**
 * Reads the content of /remotes.json and ignores invalid entries: a bad entry affects its own module, a bad tab or part only itself.
 * @param isForHere whether this browser gets a module's canary
 * @returns null when it is no registry
 */
export function publishedIn(
  body: unknown,
  isForHere: (module: string, canary: Canary) => boolean = () => false,
): Published | null {
  const { version, shell, modules } = (body ?? {}) as Record<string, unknown>;
  if (typeof modules !== 'object' || modules === null) return null;
  const named = Object.entries(modules as Record<string, unknown>).map(([module, entry]) => {
    const { canary, off, ...release } = (entry ?? {}) as Record<string, unknown>;
    const chosen = isCanary(canary) && isForHere(module, canary) ? { ...canary } : release;
    return [module, off === true ? { ...chosen, off } : chosen] as const;
  });
  const tabs = named.flatMap(([module, { tab }]) => tabIn(module, tab) ?? []);
  return {
    version: String(version),
    shell: typeof shell === 'string' ? shell : null,
    modules: Object.fromEntries(named.filter((each): each is readonly [string, Release & Facts] => isRelease(each[1]))),
    // The gateway assigns an id to one module, so duplicates are ignored.
    tabs: tabs.filter(({ id }, index) => tabs.findIndex((tab) => tab.id === id) === index).sort(byOrder),
    parts: named.flatMap(([module, { parts, off }]) => partsIn(module, parts, off === true)).sort(byOrder),
  };
}

/** Further fields beside a release in its entry. */
type Facts = Record<string, unknown>;

function isRelease(entry: unknown): entry is Release & Facts {
  if (typeof entry !== 'object' || entry === null) return false;
  const { version, entry: address, sdk } = entry as Facts;
  return typeof version === 'string' && typeof address === 'string' && typeof sdk === 'string';
}

function isCanary(entry: unknown): entry is Canary & Facts {
  return isRelease(entry) && typeof entry.share === 'number';
}

function tabIn(module: string, tab: unknown): TabEntry | null {
  const { id, words, icon, order, for: whom, badge, menu } = (tab ?? {}) as Record<string, unknown>;
  if (typeof id !== 'string' || isOwnTab(id) || !isTranslated(words) || !AUDIENCES.includes(whom)) return null;
  const place = { id, module, words, icon: iconIn(icon), order: orderIn(order) };
  return { ...place, for: whom as TabEntry['for'], badge: badgeIn(badge), menu: menuIn(menu) };
}

function badgeIn(badge: unknown): TabBadge | null {
  const { when, unless, words } = (badge ?? {}) as Record<string, unknown>;
  const field = when ?? unless;
  return typeof field === 'string' && isTranslated(words) ? { field, is: field === when, words } : null;
}

function menuIn(menu: unknown): TabEntry['menu'] {
  const { words } = (menu ?? {}) as Record<string, unknown>;
  return isTranslated(words) ? { words } : null;
}

function iconIn(icon: unknown): TabIconName {
  const { path } = (icon ?? {}) as { path?: unknown };
  if (typeof path === 'string') return { path };
  return typeof icon === 'string' ? icon : '';
}

function partsIn(module: string, parts: unknown, off: boolean): PartEntry[] {
  if (!Array.isArray(parts)) return [];
  const short = module.replace(/^mfe_/, '');
  return (parts as unknown[]).flatMap((part) => {
    const { name, words, room, roomUnless, place, order, when } = (part ?? {}) as Record<string, unknown>;
    if (typeof name !== 'string' || !isTranslated(words)) return [];
    return {
      name: `${short}/${name}` as const,
      words,
      // A room of a newer build falls back to the most common one.
      room: ROOMS.includes(room) ? (room as Room) : 'card',
      roomUnless: typeof roomUnless === 'string' ? roomUnless : null,
      place: typeof place === 'string' ? place : null,
      order: orderIn(order),
      when: typeof when === 'string' ? when : null,
      off,
    };
  });
}

function isTranslated(words: unknown): words is Translated {
  const texts = (words ?? {}) as Partial<Translated>;
  return typeof texts.en === 'string' && Object.values(texts).every((text) => typeof text === 'string');
}

function orderIn(order: unknown): number {
  return typeof order === 'number' ? order : Number.MAX_SAFE_INTEGER;
}

/** Orders tabs and parts by their places. */
export function byOrder(one: { order: number }, other: { order: number }): number {
  return one.order - other.order;
}
