import { at, sampleMining, sampleUser } from '@cord/sdk/testing';
import { settled } from '@cord/sdk/testing/render';
import type * as Ui from '@cord/ui';
import { browserOf } from '@cord/ui/testing';
import { act, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderInShell } from '../testing/render';
import { createTestShell } from '../testing/test-shell';
import { Header } from './header';

const renders = vi.hoisted(() => ({ header: 0, mark: 0, avatar: 0 }));

vi.mock('@cord/ui', async (load) => {
  const ui = await load<typeof Ui>();
  const counted = <P,>(name: keyof typeof renders, Part: (props: P) => unknown) =>
    function Counted(props: P) {
      renders[name] += 1;
      return Part(props);
    };
  return {
    ...ui,
    Logo: counted('header', ui.Logo),
    StatusDot: counted('mark', ui.StatusDot),
    Avatar: counted('avatar', ui.Avatar),
  };
});

/** A node saves every 10 s. */
const SAVES_A_MINUTE = 6;

it('the saves of a running node render only the balance again, not header, marks or avatar', async () => {
  browserOf({ widthPx: 1440 });
  const shell = createTestShell();
  const { sdk } = shell;
  sdk.api.on(at.mining.current, sampleMining());
  renderInShell(shell, <Header onOpenMenu={() => undefined} />);
  await settled(sdk);
  const before = { ...renders };
  const { id, total_earned: earned } = sampleUser();
  const shown = () => screen.getByTestId('balance').dataset.value;
  const first = shown();
  for (let save = 1; save <= SAVES_A_MINUTE; save += 1) {
    await act(async () => {
      await sdk.clock.advance(10_000);
      const balanceAt = new Date(sdk.clock.now()).toISOString();
      sdk.session.merge({ id, total_earned: (earned ?? 0) + save, daily_earnings: save, balanceAt });
    });
  }
  expect(shown()).not.toBe(first);
  expect(renders).toEqual(before);
});
