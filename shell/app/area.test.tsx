import { AreaBoundary } from '@cord/sdk';
import { at } from '@cord/sdk/testing';
import { act } from '@cord/sdk/testing/render';
import { browserOf } from '@cord/ui/testing';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderInShell } from '../testing/render';
import { createStoryShell } from '../testing/story-shell';
import type { TestShell } from '../testing/test-shell';
import { App } from './app';
import { Area } from './area';
import { LANDING } from './bundles';
import { SETTINGS } from './lazy-files';
import { SignedIn } from './signed-in';

beforeAll(() => Promise.all([SETTINGS.load(), LANDING.load()]));
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

/** Names of the parts that throw when rendered. */
const broken = new Set<string>();
afterEach(() => broken.clear());

function Fragile({ name }: { name: string }) {
  if (broken.has(name)) throw new Error(`${name} is broken`);
  return null;
}

function show(change: (shell: TestShell) => void = () => undefined) {
  const shell = createStoryShell({ live: false });
  shell.sdk.parts = { ...shell.sdk.parts, Skeleton: Fragile };
  change(shell);
  const view = renderInShell(shell, <SignedIn />);
  const panel = async () => within(await screen.findByTestId('error-panel'));
  const reportedParts = () =>
    shell.sdk.reported.map(({ place }) => place.part).filter((part) => !part?.includes('wallet'));
  return { panel, reportedParts, ...view };
}

const tabsStand = () => expect(screen.getByRole('navigation', { name: 'Tabs' })).toBeTruthy();
const welcomed = () => screen.findByText('Welcome back, mara.okafor');

it('the skip link moves the focus to the content, without changing the address or its history state', async () => {
  history.replaceState({ step: 1 }, '', '/?view=settings');
  const { user } = show();
  const link = await screen.findByRole('link', { name: 'Skip to content' });
  await user.click(link);
  expect(document.activeElement?.id).toBe('page');
  expect(location.search + location.hash).toBe('?view=settings');
  expect(history.state).toMatchObject({ step: 1 });
});

describe('an error while rendering', () => {
  it('fails the page only: another tab opens, and a second failure offers Reload', async () => {
    broken.add('mining/node-card');
    const { panel, reportedParts, user } = show();
    expect((await panel()).getByRole('alert').textContent).toBe(
      'Dashboard could not be displayedYour node and balance are not affected.',
    );
    await user.click((await panel()).getByRole('button', { name: 'Retry' }));
    expect((await panel()).getByRole('button', { name: 'Reload' })).toBeTruthy();
    tabsStand();
    expect(reportedParts()).toContain('dashboard');
    await user.click(screen.getByTestId('tab-settings'));
    expect(await screen.findByRole('heading', { name: 'Settings' })).toBeTruthy();
    expect(screen.queryByTestId('error-panel')).toBeNull();
  });

  it('fails only the section of the settings with a malformed response', async () => {
    const { shell, panel, reportedParts } = show(({ sdk }) => void sdk.api.on(at.auth.sessions, {} as never));
    act(() => shell.tabs.go('settings'));
    expect((await panel()).getByText('Security could not be displayed')).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Account actions' })).toBeTruthy();
    expect(reportedParts()).toContain('settings/security');
  });

  it('fails the header only, and the page stays', async () => {
    broken.add('wallet/wallet-button');
    const { panel } = show();
    expect((await panel()).getByText('The header could not be displayed')).toBeTruthy();
    expect(await welcomed()).toBeTruthy();
  });

  it('fails the menu of a phone when it opens, and the menu can be closed', async () => {
    browserOf({ widthPx: 390 });
    broken.add('wallet/wallet-button');
    const { reportedParts, user } = show();
    await welcomed();
    expect(screen.queryByTestId('error-panel')).toBeNull();
    await user.click(screen.getByRole('button', { name: /^Menu of/ }));
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('Menu could not be displayed');
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(reportedParts()).toContain('menu');
  });

  it('of the landing page shows a message and Retry', async () => {
    const shell = createStoryShell({ user: null, newDevice: true });
    shell.ended = null as never;
    renderInShell(shell, <App />);
    expect((await screen.findByTestId('error-panel')).textContent).toContain('CORD could not be loaded');
    expect(shell.sdk.reported.map(({ place }) => place.part)).toContain('landing');
  });
});

describe('an area', () => {
  function showArea(area: React.ReactNode) {
    const shell = createStoryShell({ live: false });
    return renderInShell(
      shell,
      <>
        {area}
        <p>neighbour</p>
      </>,
    );
  }

  it('of a card fails in its place, and Retry renders it again', async () => {
    broken.add('card');
    const { user, shell } = showArea(
      <Area card part="dashboard/epoch" name="Current epoch">
        <Fragile name="card" />
      </Area>,
    );
    expect(screen.getByText('Current epoch could not be displayed')).toBeTruthy();
    expect(screen.getByText('neighbour')).toBeTruthy();
    expect(shell.sdk.reported).toEqual([
      { error: expect.objectContaining({ message: 'card is broken' }), place: { part: 'dashboard/epoch' } },
    ]);
    broken.clear();
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(screen.queryByTestId('error-panel')).toBeNull();
  });

  it('without its own place reports the error and shows nothing', () => {
    broken.add('watch');
    const { shell } = showArea(
      <AreaBoundary place={{ part: 'watches' }}>
        <Fragile name="watch" />
      </AreaBoundary>,
    );
    expect(screen.queryByTestId('error-panel')).toBeNull();
    expect(screen.getByText('neighbour')).toBeTruthy();
    expect(shell.sdk.reported).toHaveLength(1);
  });
});
