import { sampleUser } from '@cord/sdk/testing';
import { cleanup } from '@cord/sdk/testing/render';
import { expect, it } from 'vitest';
import { PUBLISHED, testRegistry } from '../testing/registry';
import { renderInShell } from '../testing/render';
import { createTestShell } from '../testing/test-shell';
import { useTabList } from './tab-list';

const room = (whom: string, words: object) => ({
  version: '1',
  entry: '/modules/mfe_room/1/mf-manifest.json',
  sdk: '^1.0.0',
  tab: { id: 'room', words, icon: 'shield', order: 45, for: whom },
  parts: [],
});

function Names() {
  return useTabList()
    .map(({ name }) => name)
    .join(', ');
}

/** Returns the names in this user's navigation, with a module `room` beside those of this checkout. */
function namesFor(mfe_room: object, user = {}): string {
  const registry = testRegistry({ ...PUBLISHED, modules: { ...PUBLISHED.modules, mfe_room } });
  const shell = createTestShell({ registry, user: sampleUser(user) });
  const { container } = renderInShell(shell, <Names />);
  return container.textContent;
}

it('the tabs of the shell and of modules are sorted by their order', () => {
  expect(namesFor(room('signed-in', { en: 'Room' }))).toBe(
    'Dashboard, Mining, Tasks, Rankings, Room, Referrals, Settings',
  );
});

it('a tab for admins is shown to admins only', () => {
  expect(namesFor(room('admins', { en: 'Room' }))).not.toContain('Room');
  cleanup();
  expect(namesFor(room('admins', { en: 'Room' }), { isAdmin: true })).toContain('Room');
});

it('a tab without a text in the page’s language has its English text', () => {
  expect(namesFor(room('everyone', { de: 'Raum', en: 'Room' }), { locale: 'fr' })).toContain('Room');
});

it('without a registry only the tabs of the shell are shown', () => {
  const shell = createTestShell({ registry: testRegistry(null) });
  const { container } = renderInShell(shell, <Names />);
  expect(container.textContent).toBe('Dashboard, Settings');
});
