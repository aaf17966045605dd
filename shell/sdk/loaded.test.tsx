import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Loaded, type LoadedQuery } from './loaded';
import { createTestSdk } from './testing';
import { renderWithSdk } from './testing/render';

const READ: LoadedQuery<string> = {
  data: 'the switches',
  isError: false,
  isPending: false,
  isPaused: false,
  isPlaceholderData: false,
  isFetching: false,
  refetch: () => undefined,
};

function show(query: LoadedQuery<string>) {
  const { unmount } = renderWithSdk(
    <Loaded query={query} failed="Settings could not be loaded" loading={<p>loading</p>}>
      {(data) => <p>{data}</p>}
    </Loaded>,
    createTestSdk(),
  );
  const text = document.body.textContent;
  const hasPanel = screen.queryByTestId('error-panel') !== null;
  unmount();
  return { text, hasPanel };
}

it('what is known stays when a later read fails; only what was never read gives way to the error', () => {
  expect(show(READ)).toEqual({ text: 'the switches', hasPanel: false });
  expect(show({ ...READ, isError: true })).toEqual({ text: 'the switches', hasPanel: false });
  const unknown = { ...READ, data: undefined };
  expect(show({ ...unknown, isPending: true })).toEqual({ text: 'loading', hasPanel: false });
  expect(show({ ...unknown, isError: true }).hasPanel).toBe(true);
  // Unreachable: the query waits for the network, which is no loading.
  expect(show({ ...unknown, isPending: true, isPaused: true }).hasPanel).toBe(true);
});

it('the answer to another question stays until its own one comes, and not for as long as the server is out of reach', () => {
  const former = { ...READ, isPlaceholderData: true };
  expect(show({ ...former, isFetching: true })).toEqual({ text: 'the switches', hasPanel: false });
  expect(show({ ...former, isPaused: true })).toEqual({
    text: expect.not.stringContaining('the switches'),
    hasPanel: true,
  });
});
