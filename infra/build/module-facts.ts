import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Surface } from './module-surface.ts';

/**
 * The field of a module's tab and parts, in its package.json and in mf-manifest.json. The facts thus travel with the
 * build; infra/deploy/store/manifest.ts reads them there.
 */
const KEY = 'cord';

const AUDIENCES = ['everyone', 'signed-in', 'admins'];
const ROOMS = ['card', 'ring-card', 'chart-card', 'banner', 'row', 'cell', 'button', 'none'];
/** Ids of the shell's own tabs. */
const SHELLS_TABS = ['dashboard', 'settings'];
const WORD_MAX = 40;
const USER_FIELD = /^[a-z_A-Z]{1,40}$/;

/** Text by language; `en` is required. */
export type Words = Record<string, string>;

/** A module's tab. README.md of infra/deploy explains each field. */
export interface Tab {
  id: string;
  words: Words;
  icon: string | { path: string };
  order: number;
  for: 'everyone' | 'signed-in' | 'admins';
  badge?: { when?: string; unless?: string; words: Words };
  menu?: { words: Words };
}

/** A part that a module provides. */
export interface Part {
  name: string;
  words: Words;
  room: 'card' | 'ring-card' | 'chart-card' | 'banner' | 'row' | 'cell' | 'button' | 'none';
  roomUnless?: string;
  place?: string;
  order?: number;
  when?: string;
}

/** The tab and parts of a module. */
export interface ModuleFacts {
  tab?: Tab;
  parts: Part[];
}

/**
 * Returns the facts of a module: `cord` of its package.json. A module without them has an unlinked page, or parts used by name.
 * @throws {Error} naming the file and the field
 */
export function factsOfModule(dir: string): ModuleFacts {
  const file = path.join(dir, 'package.json');
  const facts = JSON.parse(readFileSync(file, 'utf8'))[KEY] ?? {};
  const problems = factProblems(facts);
  if (problems.length > 0) throw new Error(`${file}, ${KEY}: ${problems.join('; ')}`);
  const { tab, parts = [] } = facts;
  return { ...(tab && { tab }), parts };
}

/** Finds errors in the facts of a module, one line each. */
export function factProblems({ tab, parts = [], ...others }: Record<string, unknown>): string[] {
  return [
    ...Object.keys(others).map((field) => `${field} is not a known field`),
    ...(tab === undefined ? [] : tabProblems((tab ?? {}) as Partial<Tab>)),
    ...(Array.isArray(parts)
      ? parts.flatMap((part, index) => partProblems(part ?? {}, index))
      : ['parts is not a list']),
  ];
}

/**
 * Writes the facts, the module's imports from the shell and the hashes of its chunks into a build's manifest. The
 * federation runtime loads some chunks by the manifest, before the entry that has their hashes.
 * @param folder of the build
 */
export async function writeFacts(folder: string, facts: ModuleFacts & { surface: Surface }): Promise<void> {
  const file = path.join(folder, 'mf-manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...manifest, [KEY]: { ...facts, integrity: await integrityOf(folder) } }));
}

/** Hashes the scripts and styles below assets/ in the browsers' format, by path. */
async function integrityOf(folder: string): Promise<Record<string, string>> {
  const names = await readdir(path.join(folder, 'assets')).catch(() => []);
  const files = names.filter((name) => /\.(js|css)$/.test(name)).map((name) => `assets/${name}`);
  return Object.fromEntries(
    await Promise.all(
      files.map(async (file) => {
        const hash = createHash('sha256').update(await readFile(path.join(folder, file)));
        return [file, `sha256-${hash.digest('base64')}`];
      }),
    ),
  );
}

function tabProblems({ id = '', words, icon, order, badge, menu, for: audience }: Partial<Tab>): string[] {
  const marks = [badge?.when, badge?.unless].filter((field) => field !== undefined);
  return unmet([
    [/^[a-z][a-z0-9-]{0,31}$/.test(id) && !SHELLS_TABS.includes(id), 'tab.id is invalid or reserved'],
    [hasTexts(words), `tab.words needs en, and texts of at most ${WORD_MAX} characters`],
    [typeof icon === 'string' || isPath(icon?.path), 'tab.icon is neither a name nor a {path}'],
    [Number.isFinite(order), 'tab.order is not a number'],
    [AUDIENCES.some((one) => one === audience), `tab.for is not one of ${AUDIENCES.join(', ')}`],
    [
      badge === undefined || (marks.length === 1 && USER_FIELD.test(marks[0] ?? '') && hasTexts(badge?.words)),
      'tab.badge needs when or unless, a field of the user, and words',
    ],
    [menu === undefined || hasTexts(menu?.words), 'tab.menu needs words'],
  ]);
}

function partProblems(part: Partial<Part>, index: number): string[] {
  const { name = '', words, room, roomUnless, place, order, when } = part;
  return unmet([
    [/^[a-z][a-z0-9-]*$/.test(name), 'name is invalid'],
    [hasTexts(words), `words needs en, and texts of at most ${WORD_MAX} characters`],
    [ROOMS.some((one) => one === room), `room is not one of ${ROOMS.join(', ')}`],
    [roomUnless === undefined || USER_FIELD.test(roomUnless), 'roomUnless is not a field of the user'],
    [place === undefined || /^[a-z]+\.[a-z]+$/.test(place), 'place is not a name such as dashboard.main'],
    [place === undefined || Number.isFinite(order), 'order is not a number'],
    [when === undefined || USER_FIELD.test(when), 'when is not a field of the user'],
  ]).map((problem) => `parts[${index}].${problem}`);
}

/** Returns the problems of unmet conditions. */
function unmet(conditions: readonly [holds: boolean, problem: string][]): string[] {
  return conditions.flatMap(([holds, problem]) => (holds ? [] : problem));
}

function hasTexts(words: Words | undefined): boolean {
  const texts = Object.values(words ?? {});
  return typeof words?.en === 'string' && texts.every((text) => typeof text === 'string' && text.length <= WORD_MAX);
}

/** Whether a text is an SVG path, without any markup. */
function isPath(text: string | undefined): boolean {
  return /^[MmLlHhVvCcSsQqTtAaZz0-9 ,.+-]{1,2000}$/.test(text ?? '');
}
