import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useDismissal } from './dismissal';
import { forgetDrafts, useDraft } from './drafts';
import { createTestSdk, sampleUser } from './testing';
import { act, cleanup, renderWithSdk } from './testing/render';

function Letter({ name = 'letter' }) {
  const { typed, type, clear } = useDraft(name, { subject: '', text: '' });
  return (
    <>
      <output>{JSON.stringify(typed)}</output>
      <button type="button" onClick={() => type({ text: `${typed.text}a` })}>
        type
      </button>
      <button type="button" onClick={clear}>
        clear
      </button>
    </>
  );
}

const text = () => JSON.parse(screen.getByRole('status').textContent ?? '').text;
const press = (name: string) => act(() => screen.getByRole('button', { name }).click());

function open(name?: string, user = sampleUser()) {
  cleanup();
  renderWithSdk(<Letter {...(name && { name })} />, createTestSdk({ user }));
  return text();
}

test('a draft survives a reload until it is cleared, per user and form', () => {
  open();
  press('type');
  press('type');
  expect(open('another form')).toBe('');
  press('type');
  expect(open()).toBe('aa');
  press('clear');
  expect(text()).toBe('');
  expect([open(), open('another form')]).toEqual(['', 'a']);
  expect(open('another form', sampleUser({ id: 'f'.repeat(32) }))).toBe('');
});

test.each(['{', 'null', '{"userId":1}'])('an unreadable store counts as empty: %s', (stored) => {
  sessionStorage.setItem('cord.drafts', stored);
  expect(open()).toBe('');
  press('type');
  expect(open()).toBe('a');
  forgetDrafts();
  expect(open()).toBe('');
});

function Offer() {
  const { dismissed, dismiss } = useDismissal('badge');
  return (
    <button type="button" onClick={dismiss}>
      {dismissed ? 'gone' : 'offered'}
    </button>
  );
}

test('a dismissed offer disappears in all places and tabs and at the next visit, per user', () => {
  const sdk = createTestSdk();
  renderWithSdk(
    <>
      <Offer />
      <Offer />
    </>,
    sdk,
  );
  const offers = () => screen.getAllByRole('button').map(({ textContent }) => textContent);
  act(() => screen.getAllByRole('button')[0]?.click());
  expect(offers()).toEqual(['gone', 'gone']);
  act(() => sdk.session.signIn(sampleUser({ id: 'f'.repeat(32) })));
  expect(offers()).toEqual(['offered', 'offered']);
  // Another tab dismisses it.
  localStorage.setItem(`cord.dismissed.badge.${'f'.repeat(32)}`, 'yes');
  act(() => void window.dispatchEvent(new Event('storage')));
  expect(offers()).toEqual(['gone', 'gone']);
  cleanup();
  renderWithSdk(<Offer />, createTestSdk());
  expect(offers()).toEqual(['gone']);
});
