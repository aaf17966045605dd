import { at, SAMPLE_NOW_MS, sampleMining } from '@cord/sdk/testing';
import { act, advance, settled } from '@cord/sdk/testing/render';
import { Button, Switch } from '@cord/ui';
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { BarBalance } from '../header/balance';
import { renderInShell } from '../testing/render';
import { createTestShell } from '../testing/test-shell';
import { ConnectionStrip } from './connection-strip';

const start = vi.fn();

async function show() {
  start.mockClear();
  const shell = createTestShell();
  shell.sdk.api.on(at.mining.current, sampleMining());
  const view = renderInShell(
    shell,
    <>
      <ConnectionStrip />
      <BarBalance />
      <Button needsServer onClick={start}>
        Start Mining
      </Button>
      <Button onClick={start}>Copy</Button>
      <Switch needsServer label="Auto-start" help="Start the node when you sign in." checked={false} onChange={start} />
    </>,
  );
  await settled(shell.sdk);
  const lose = (lostAtMs: number | null) => act(async () => shell.sdk.connection.lostAtMs.set(lostAtMs));
  return { ...view, lose };
}

it('shows that the user is offline, since when, and until when the node runs', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const { lose, shell } = await show();
  expect(screen.getByTestId('connection').textContent).toBe('');
  await lose(SAMPLE_NOW_MS);
  expect(screen.getByTestId('connection').textContent).toMatch(
    /^Offline since \d\d:03\. Showing the last known numbers\. Your node runs on our servers until \d\d:03\. Actions are paused\.$/,
  );
  expect(document.documentElement.hasAttribute('data-stale')).toBe(true);
  await advance(shell.sdk, 8 * 3_600_000);
  expect(screen.getByTestId('connection').textContent).toMatch(
    / Showing the last known numbers\. Your node ran on our servers\. It paused at \d\d:03\. Actions are paused\.$/,
  );
  await act(async () => shell.sdk.session.observeNode(null));
  expect(screen.getByTestId('connection').textContent).toMatch(
    / Showing the last known numbers\. Actions are paused\.$/,
  );
});

it('names the day of the loss and of the pause after more than a day', async () => {
  const { lose, shell } = await show();
  await lose(SAMPLE_NOW_MS);
  shell.sdk.clock.advance(26 * 3_600_000);
  await act(async () => void window.dispatchEvent(new Event('focus')));
  expect(screen.getByTestId('connection').textContent).toMatch(
    /^CORD has been out of reach since \d+ \w+, \d\d:03\. .* It paused at \d+ \w+, \d\d:03\. /,
  );
});

it('shows the server as unreachable, not the user as offline, if the browser is online', async () => {
  const { lose } = await show();
  await lose(SAMPLE_NOW_MS);
  expect(screen.getByTestId('connection').textContent).toMatch(/^CORD has been out of reach since \d\d:03\./);
});

it('freezes the last known number, and continues from the server’s time after a reconnect', async () => {
  const { shell, lose } = await show();
  await lose(SAMPLE_NOW_MS);
  await advance(shell.sdk, 60_000);
  expect(screen.getByTestId('balance').textContent).toBe('48,213.57');
  await lose(null);
  await advance(shell.sdk, 0);
  expect(screen.getByTestId('balance').textContent).toBe('48,215.49');
});

it('disables only actions that need the server, with a reason, until it is back', async () => {
  const { user, lose } = await show();
  await lose(SAMPLE_NOW_MS);
  const button = screen.getByRole('button', { name: 'Start Mining' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(button.title).toBe('Available when you are back online.');
  await user.click(button);
  await user.click(screen.getByRole('switch', { name: 'Auto-start' }));
  expect(start).not.toHaveBeenCalled();
  expect(screen.queryByText('Start the node when you sign in.')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(start).toHaveBeenCalledTimes(1);
  await lose(null);
  await user.click(screen.getByRole('button', { name: 'Start Mining' }));
  expect(start).toHaveBeenCalledTimes(2);
  expect(screen.getByTestId('connection').textContent).toBe('You are back online.');
  expect(document.documentElement.hasAttribute('data-stale')).toBe(false);
});
