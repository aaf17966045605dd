import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Where a module declares which tab and which parts it brings. */
const FILE = 'module.json';
/** In mf-manifest.json, so that the facts travel with the build; infra/deploy/store/manifest.ts reads them there. */
const KEY = 'cord';

const AUDIENCES = ['everyone', 'signed-in', 'admins'];
const ROOMS = ['card', 'ring-card', 'chart-card', 'banner', 'row', 'cell', 'button', 'none'];
/** Tabs of the shell's own. */
const SHELLS_TABS = ['dashboard', 'settings'];
const WORD_MAX = 40;
const USER_FIELD = /^[a-z_A-Z]{1,40}$/;

/**
 * What a module brings to the shell. README.md has the meaning of each field.
 * @typedef {{id: string, words: Record<string, string>, icon: string | {path: string}, order: number, for: 'everyone' | 'signed-in' | 'admins', badge?: {when?: string, unless?: string, words: Record<string, string>}, menu?: {words: Record<string, string>}}} Tab
 * @typedef {{name: string, words: Record<string, string>, room: 'card' | 'ring-card' | 'chart-card' | 'banner' | 'row' | 'cell' | 'button' | 'none', roomUnless?: string, place?: string, order?: number, when?: string}} Part
 * @typedef {{tab?: Tab, parts: Part[]}} ModuleFacts
 */

/**
 * The facts of the module in a folder; one without module.json brings a page that nothing leads to, or parts that others load by name.
 * @param {string} dir
 * @returns {ModuleFacts}
 * @throws {Error} naming the file and the field
 */
export function factsOfModule(dir) {
  const file = path.join(dir, FILE);
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return { parts: [] };
    throw error;
  }
  const facts = JSON.parse(text);
  const problems = factProblems(facts);
  if (problems.length > 0) throw new Error(`${file}: ${problems.join('; ')}`);
  const { tab, parts = [] } = facts;
  return { ...(tab && { tab }), parts };
}

/** What is wrong with the facts of a module. @param {Partial<ModuleFacts> & Record<string, unknown>} facts @returns {string[]} */
export function factProblems({ tab, parts = [], ...others }) {
  return [
    ...Object.keys(others).map((field) => `${field} is no field of it`),
    ...(tab === undefined ? [] : tabProblems(tab)),
    ...(Array.isArray(parts) ? parts.flatMap(partProblems) : ['parts is no list']),
  ];
}

/**
 * Writes the facts into the manifest of a build, what it takes of the shell, and the hashes of its chunks: the federation runtime loads some of
 * them by the manifest, before the entry that knows them runs.
 * @param {string} folder of the build
 * @param {ModuleFacts & {surface?: import('./module-surface.mjs').Surface}} facts
 */
export async function writeFacts(folder, facts) {
  const file = path.join(folder, 'mf-manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...manifest, [KEY]: { ...facts, integrity: await integrityOf(folder) } }));
}

/** Of scripts and styles below assets/, by their paths in the build, as browsers take it. @returns {Promise<Record<string, string>>} */
async function integrityOf(folder) {
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

function tabProblems(tab) {
  const { id, icon, order, badge, menu } = tab ?? {};
  const marks = [badge?.when, badge?.unless].filter((field) => field !== undefined);
  return [
    [/^[a-z][a-z0-9-]{0,31}$/.test(id) && !SHELLS_TABS.includes(id), 'tab.id is no name that a module may have'],
    [isWords(tab?.words), `tab.words needs en, and texts of at most ${WORD_MAX} characters`],
    [typeof icon === 'string' || isPath(icon?.path), 'tab.icon is no name and no {path}'],
    [Number.isFinite(order), 'tab.order is no number'],
    [AUDIENCES.includes(tab?.for), `tab.for is none of ${AUDIENCES.join(', ')}`],
    [
      badge === undefined || (marks.length === 1 && USER_FIELD.test(marks[0]) && isWords(badge?.words)),
      'tab.badge needs when or unless, a field of the user, and words',
    ],
    [menu === undefined || isWords(menu?.words), 'tab.menu needs words'],
  ].flatMap(([holds, problem]) => (holds ? [] : problem));
}

function partProblems(part, index) {
  const { name, words, room, roomUnless, place, order, when } = part ?? {};
  return [
    [/^[a-z][a-z0-9-]*$/.test(name), 'name is no name'],
    [isWords(words), `words needs en, and texts of at most ${WORD_MAX} characters`],
    [ROOMS.includes(room), `room is none of ${ROOMS.join(', ')}`],
    [roomUnless === undefined || USER_FIELD.test(roomUnless), 'roomUnless is no field of the user'],
    [place === undefined || /^[a-z]+\.[a-z]+$/.test(place), 'place is no name such as dashboard.main'],
    [place === undefined || Number.isFinite(order), 'order is no number'],
    [when === undefined || USER_FIELD.test(when), 'when is no field of the user'],
  ].flatMap(([holds, problem]) => (holds ? [] : `parts[${index}].${problem}`));
}

function isWords(words) {
  const texts = Object.values(words ?? {});
  return typeof words?.en === 'string' && texts.every((text) => typeof text === 'string' && text.length <= WORD_MAX);
}

/** What an svg path may be made of: nothing that could be markup. */
function isPath(text) {
  return /^[MmLlHhVvCcSsQqTtAaZz0-9 ,.+-]{1,2000}$/.test(text ?? '');
}
