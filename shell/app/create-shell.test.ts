// @vitest-environment jsdom
import { sampleUser } from '@cord/sdk/testing';
import { toasts } from '@cord/ui';
import { beforeEach, expect, it } from 'vitest';
import { browserOf } from '../testing/browser';
import { createShell } from './create-shell';

beforeEach(() => browserOf({ widthPx: 1440 }));

it('shows no toast of one user to the next: they go with the sign-out and with each change of the user', () => {
  const { session } = createShell().sdk;
  const shown = () => toasts.read().map(({ title }) => title);
  const [one, next] = [sampleUser(), sampleUser({ id: 'f'.repeat(32) })];
  session.signIn(one);
  toasts.show({ kind: 'success', title: 'Claimed' });
  session.merge({ id: one.id, theme: 'dark' });
  expect(shown()).toEqual(['Claimed']);
  session.signOut();
  expect(shown()).toEqual([]);
  // What was under way as the user signed out.
  toasts.show({ kind: 'error', title: 'Not claimed' });
  session.signIn(next);
  expect(shown()).toEqual([]);
  toasts.show({ kind: 'success', title: 'Claimed' });
  session.signIn(one);
  expect(shown()).toEqual([]);
});
