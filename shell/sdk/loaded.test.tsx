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

it('loaded data stays when a later read fails; the error panel is shown only without data', () => {
  expect(show(READ)).toEqual({ text: 'the switches', hasPanel: false });
  expect(show({ ...READ, isError: true })).toEqual({ text: 'the switches', hasPanel: false });
  const unknown = { ...READ, data: undefined };
  expect(show({ ...unknown, isPending: true })).toEqual({ text: 'loading', hasPanel: false });
  expect(show({ ...unknown, isError: true }).hasPanel).toBe(true);
  // Unreachable: the query waits for the network, which is no loading.
  expect(show({ ...unknown, isPending: true, isPaused: true }).hasPanel).toBe(true);
});

it('placeholder data of another query is shown while fetching, and gives way to the panel when the server is unreachable', () => {
  const former = { ...READ, isPlaceholderData: true };
  expect(show({ ...former, isFetching: true })).toEqual({ text: 'the switches', hasPanel: false });
  expect(show({ ...former, isPaused: true })).toEqual({
    text: expect.not.stringContaining('the switches'),
    hasPanel: true,
  });
});
