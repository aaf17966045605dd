import { expect, test } from 'vitest';
import { publishedIn } from './entries';

const RELEASE = { version: '1', entry: '/modules/m/1/mf-manifest.json', sdk: '^1.0.0' };
const TAB = { id: 'room', words: { en: 'Room', de: 'Raum' }, icon: 'shield', order: 60, for: 'admins' };
const PART = { name: 'card', words: { en: 'Card' }, room: 'card', place: 'dashboard.cards', order: 5 };
const read = (modules: object) => publishedIn({ version: '3', shell: '1.0.0-a', modules });

test('tabs and parts of all modules are sorted by their order', () => {
  const published = read({
    mfe_room: { ...RELEASE, tab: TAB, parts: [PART, { ...PART, name: 'first', order: 1 }] },
    mfe_hall: { ...RELEASE, tab: { ...TAB, id: 'hall', order: 20, icon: { path: 'M4 4h16' } }, parts: [] },
    mfe_copy: { ...RELEASE, tab: { ...TAB, id: 'hall', order: 1 } },
  });
  expect([published?.version, published?.shell]).toEqual(['3', '1.0.0-a']);
  expect(published?.tabs).toEqual([
    { ...TAB, id: 'hall', order: 20, icon: { path: 'M4 4h16' }, module: 'mfe_hall', badge: null, menu: null },
    { ...TAB, module: 'mfe_room', badge: null, menu: null },
  ]);
  expect(published?.parts.map(({ name }) => name)).toEqual(['room/first', 'room/card']);
});

test.each([
  ['no entry at all', null],
  ['text', 'entry'],
  ['no address', { version: '1', sdk: '^1.0.0' }],
  ['words without English', { ...RELEASE, tab: { ...TAB, id: 'bad', words: { de: 'Raum' } } }],
  ['a language whose text is none', { ...RELEASE, tab: { ...TAB, id: 'bad', words: { en: 'Room', de: {} } } }],
  ['a part with such a text', { ...RELEASE, parts: [{ ...PART, name: 'bad', words: { en: 'Card', de: {} } }] }],
  ['a tab for nobody known', { ...RELEASE, tab: { ...TAB, id: 'bad', for: 'friends' } }],
  ["the shell's own tab", { ...RELEASE, tab: { ...TAB, id: 'settings' } }],
  ['parts that are no list', { ...RELEASE, parts: 'card' }],
  ['a part that is nothing', { ...RELEASE, parts: [null, 7, {}] }],
])('%s makes only its own module invalid', (_what, bad) => {
  const published = read({ mfe_bad: bad, mfe_room: { ...RELEASE, tab: TAB, parts: [PART] } });
  expect(published?.modules.mfe_room).toMatchObject(RELEASE);
  expect(published?.tabs.map(({ id }) => id)).toEqual(['room']);
  expect(published?.parts.map(({ name }) => name)).toEqual(['room/card']);
});

test('an icon that is not a string is an unknown one', () => {
  const published = read({ mfe_room: { ...RELEASE, tab: { ...TAB, icon: { toString: 1 } } } });
  expect(published?.tabs[0]?.icon).toBe('');
});

test('an entry with an unreadable release keeps its tab, so that its area can show the error', () => {
  const published = read({ mfe_room: { version: '1', tab: TAB, parts: [] } });
  expect([Object.keys(published?.modules ?? {}), published?.tabs.length]).toEqual([[], 1]);
});

test('a tab badge needs a field of the user with its expected value, and words', () => {
  const badgeOf = (badge: unknown) => read({ mfe_room: { ...RELEASE, tab: { ...TAB, badge } } })?.tabs[0]?.badge;
  const words = { en: 'today is open' };
  expect(badgeOf({ unless: 'claimed', words, since: 'then' })).toEqual({ field: 'claimed', is: false, words });
  expect(badgeOf({ when: 'is_node_active', words })).toEqual({ field: 'is_node_active', is: true, words });
  expect([badgeOf({ unless: 'x' }), badgeOf({ words }), badgeOf('x')]).toEqual([null, null, null]);
});

test('a tab can have other words in the menu', () => {
  const menuOf = (menu: unknown) => read({ mfe_room: { ...RELEASE, tab: { ...TAB, menu } } })?.tabs[0]?.menu;
  expect(menuOf({ words: { en: 'Invite friends' } })).toEqual({ words: { en: 'Invite friends' } });
  expect([menuOf({ words: { de: 'Einladen' } }), menuOf('x')]).toEqual([null, null]);
});

test('unknown values of a newer build get defaults', () => {
  const published = read({
    mfe_room: { ...RELEASE, tab: { ...TAB, order: null }, parts: [{ ...PART, room: 'hall', when: 7, roomUnless: 7 }] },
  });
  expect(published?.parts[0]).toMatchObject({ room: 'card', when: null, roomUnless: null });
  expect(published?.tabs[0]?.order).toBe(Number.MAX_SAFE_INTEGER);
});

test('a module that is switched off is marked so, including its parts and its canary', () => {
  const canary = { ...RELEASE, version: '2', share: 1, parts: [PART] };
  const modules = { mfe_room: { ...RELEASE, off: true, parts: [PART] }, mfe_hall: { ...RELEASE, off: true, canary } };
  const published = publishedIn({ version: '3', modules }, () => true);
  expect(published?.modules.mfe_room?.off).toBe(true);
  expect(published?.modules.mfe_hall).toMatchObject({ version: '2', off: true });
  expect(published?.parts.map(({ off }) => off)).toEqual([true, true]);
});

test.each([null, [], 'text', { modules: null }])('%j is not a registry', (body) => {
  expect(publishedIn(body)).toBeNull();
});
