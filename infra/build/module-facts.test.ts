import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { factsOfModule, writeFacts } from './module-facts.ts';

const TAB = { id: 'room', words: { en: 'Room', de: 'Raum' }, icon: 'shield', order: 60, for: 'admins' };
const MARKED = { ...TAB, badge: { unless: 'daily_checkin_claimed', words: { en: 'today is open' } } };
const PART = { name: 'card', words: { en: 'Card' }, room: 'card', place: 'dashboard.main', order: 5 };

function folder(file: string, content: unknown): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'cord-facts-'));
  writeFileSync(path.join(dir, file), JSON.stringify(content));
  return dir;
}

test('the facts of a module come from its package.json and go into the manifest of its build', async () => {
  const facts = factsOfModule(folder('package.json', { cord: { tab: MARKED, parts: [PART] } }));
  const build = folder('mf-manifest.json', { name: 'mfe_room', exposes: [] });
  mkdirSync(path.join(build, 'assets'));
  for (const file of ['page.1.js', 'page.2.css', 'page.1.js.map', 'picture.svg'])
    writeFileSync(path.join(build, 'assets', file), 'x');
  const surface = { sdk: ['useSdk'], ui: ['Card'], runtime: '^2.9.2' };
  await writeFacts(build, { ...facts, surface });
  const { default: manifest } = await import(path.join(build, 'mf-manifest.json'));
  // The sha256 of x.
  const hash = 'sha256-LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=';
  const integrity = { 'assets/page.1.js': hash, 'assets/page.2.css': hash };
  expect(manifest).toEqual({ name: 'mfe_room', exposes: [], cord: { tab: MARKED, parts: [PART], surface, integrity } });
  expect(factsOfModule(folder('package.json', {}))).toEqual({ parts: [] });
});

test.each([
  ['tab.id', { tab: { ...TAB, id: 'settings' } }],
  ['tab.id', { tab: { ...TAB, id: undefined } }],
  ['tab.words', { tab: { ...TAB, words: { de: 'Raum' } } }],
  ['tab.icon', { tab: { ...TAB, icon: { path: 'M0 0"/><script>' } } }],
  ['tab.order', { tab: { ...TAB, order: '6' } }],
  ['tab.for', { tab: { ...TAB, for: 'friends' } }],
  ['tab.badge', { tab: { ...TAB, badge: { unless: 'daily_checkin_claimed' } } }],
  ['tab.badge', { tab: { ...TAB, badge: { ...MARKED.badge, when: 'is_node_active' } } }],
  ['tab.menu', { tab: { ...TAB, menu: { words: { de: 'Einladen' } } } }],
  ['parts[0].roomUnless', { parts: [{ ...PART, roomUnless: '__proto__.x' }] }],
  ['parts[0].name', { parts: [{ ...PART, name: undefined }] }],
  ['parts[1].room', { parts: [PART, { ...PART, room: 'hall' }] }],
  ['parts[0].order', { parts: [{ ...PART, order: undefined }] }],
  ['parts[0].when', { parts: [{ ...PART, when: '__proto__.x' }] }],
  ['page', { page: 1 }],
])('an invalid %s is rejected by name', (field, content) => {
  expect(() => factsOfModule(folder('package.json', { cord: content }))).toThrow(`package.json, cord: ${field} `);
});
