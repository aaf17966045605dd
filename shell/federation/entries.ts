/** A text in each language that somebody has written it in; English is always there. */
export type Translated = Readonly<Record<string, string>> & { readonly en: string };

/** What the design system draws for a tab: a name of its own, or a path of 24 by 24 units. */
export type TabIconName = string | { readonly path: string };

/** A tab that a module brings (infra/build/module-facts.ts). */
export interface TabEntry {
  readonly id: string;
  /** Whose page it is. */
  readonly module: string;
  readonly words: Translated;
  readonly icon: TabIconName;
  readonly order: number;
  readonly for: 'everyone' | 'signed-in' | 'admins';
  /** Null for most. */
  readonly badge: TabBadge | null;
  /** What it is called in the menu under the avatar; null for those that do not stand there. */
  readonly menu: { readonly words: Translated } | null;
}

/** A tab is marked while a field of the user's record is true or, with a warning, while it is false. */
export interface TabBadge {
  readonly field: string;
  readonly is: boolean;
  /** What the mark stands for, after the tab's name: `today is open`. */
  readonly words: Translated;
}

/** What is kept free for a part until it is there; only what has a card shows that it failed. */
export type Room = 'card' | 'ring-card' | 'chart-card' | 'banner' | 'row' | 'cell' | 'button' | 'none';

/** A part that a module lends. */
export interface PartEntry {
  /** `wallet/badge-card` */
  readonly name: `${string}/${string}`;
  readonly words: Translated;
  readonly room: Room;
  /** Nothing is kept free for those of whose record this field is true; null where it always is. */
  readonly roomUnless: string | null;
  readonly place: string | null;
  readonly order: number;
  /** It is for those alone of whose record this field is true; null for all. */
  readonly when: string | null;
  /** Its module is switched off. */
  readonly off: boolean;
}

/** One published build of a module. */
export interface Release {
  version: string;
  /** Address of its mf-manifest.json. */
  entry: string;
  /** Of the manifest and the entry script, by their names, as browsers take it; none of a module under hot reload. */
  integrity?: Readonly<Record<string, string>>;
  /** The sdk versions it works with, as a caret range. */
  sdk: string;
  /** Likewise those of the design system; a module under hot reload names none: it works with what is beside it. */
  ui?: string;
  /** Switched off by an operator: not to be shown, and its place shows it. */
  off?: boolean;
}

/** A release that a share (0 to 1) of the browsers gets instead, with all that its version shows. */
export type Canary = Release & { share: number };

/** What /remotes.json contains. */
export interface Published {
  /** Another one after each switch. */
  readonly version: string;
  /** The build of the shell that the page would be now; null where it is unknown. */
  readonly shell: string | null;
  /** What this browser is to run. */
  readonly modules: Readonly<Record<string, Release>>;
  readonly tabs: readonly TabEntry[];
  readonly parts: readonly PartEntry[];
}

const ROOMS: readonly unknown[] = ['card', 'ring-card', 'chart-card', 'banner', 'row', 'cell', 'button', 'none'];
const AUDIENCES: readonly unknown[] = ['everyone', 'signed-in', 'admins'];
const OWN_TABS = ['dashboard', 'settings'] as const;

/** A tab of the shell's own, which no module may bring. */
export type OwnTabId = (typeof OWN_TABS)[number];

export function isOwnTab(tab: string): tab is OwnTabId {
  return (OWN_TABS as readonly string[]).includes(tab);
}

/**
 * Reads what /remotes.json contains. What is wrong is as if it were not there: a bad entry breaks its own module, a bad tab or part itself only.
 * @param isForHere whether this browser gets a module's canary
 * @returns null where it is no registry
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
    // The gateway leaves an id to one module; what another one shows is not this one's concern.
    tabs: tabs.filter(({ id }, index) => tabs.findIndex((tab) => tab.id === id) === index).sort(byOrder),
    parts: named.flatMap(([module, { parts, off }]) => partsIn(module, parts, off === true)).sort(byOrder),
  };
}

/** What stands beside a release in its entry. */
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
      // One that a newer build names is shown as most are.
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

/** As the places of tabs and parts stand one after the other. */
export function byOrder(one: { order: number }, other: { order: number }): number {
  return one.order - other.order;
}
