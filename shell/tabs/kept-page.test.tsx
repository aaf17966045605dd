import { createStore, usePageShown, useStore } from '@cord/sdk';
import { createTestSdk } from '@cord/sdk/testing';
import { act, renderWithSdk } from '@cord/sdk/testing/render';
import { screen } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { KeptPage } from './kept-page';

const ran = vi.fn();
const shown: boolean[] = [];
const onScreen = createStore(true);

function Page() {
  const [born] = useState(() => Symbol('born'));
  shown.push(usePageShown());
  useEffect(() => {
    ran('on', born);
    return () => void ran('off', born);
  }, [born]);
  return (
    <div data-testid="list">
      <input aria-label="name" />
    </div>
  );
}

const PAGE = <Page />;

function Place() {
  return (
    <KeptPage tab="tasks" onScreen={useStore(onScreen)}>
      {PAGE}
    </KeptPage>
  );
}

test('a kept page leaves the document and runs nothing, and returns with elements, state and scroll', async () => {
  const scrolledTo = vi.fn();
  Element.prototype.scrollTo = scrolledTo;
  const { user } = renderWithSdk(<Place />, createTestSdk());
  const typed = screen.getByLabelText<HTMLInputElement>('name');
  await user.type(typed, 'ada');
  const list = screen.getByTestId('list');
  list.scrollTop = 40;
  list.dispatchEvent(new Event('scroll'));

  act(() => onScreen.set(false));
  expect(screen.queryByLabelText('name')).toBeNull();
  expect(ran.mock.calls.map(([what]) => what)).toEqual(['on', 'off']);
  expect(shown.at(-1)).toBe(false);
  expect(scrolledTo).not.toHaveBeenCalled();

  act(() => onScreen.set(true));
  expect(screen.getByLabelText('name')).toBe(typed);
  expect(typed.value).toBe('ada');
  expect(shown.at(-1)).toBe(true);
  expect(ran.mock.calls.map(([what]) => what)).toEqual(['on', 'off', 'on']);
  expect(new Set(ran.mock.calls.map(([, born]) => born)).size).toBe(1);
  expect(scrolledTo).toHaveBeenCalledWith({ left: 0, top: 40, behavior: 'instant' });
});
