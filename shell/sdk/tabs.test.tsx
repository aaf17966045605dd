import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { PagePlace } from './page-place';
import { pageTitle, usePageTitle } from './page-title';
import { SdkProvider } from './sdk';
import { setViewSteps, useTabChoice, useTabView, withParam } from './tabs';
import { createTestSdk } from './testing';
import { act, renderWithSdk, settle } from './testing/render';

function Miner() {
  const { value, open, close, hrefOf } = useTabView('miner');
  return (
    <main tabIndex={-1}>
      <a href={hrefOf('old-salt')} onClickCapture={(event) => event.preventDefault()} onClick={() => open('old-salt')}>
        Old Salt
      </a>
      <button type="button" onClick={() => open('mara')}>
        Mara
      </button>
      <button type="button" onClick={close}>
        Close {value ?? 'nothing'}
      </button>
    </main>
  );
}

async function openPage() {
  const sdk = createTestSdk();
  act(() => sdk.tabs.setParam('leaderboard', 'period', 'week'));
  const scrolled = vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  const page = (
    <PagePlace tab="leaderboard" onScreen>
      <Miner />
    </PagePlace>
  );
  renderWithSdk(page, sdk);
  const press = async (name: RegExp) => {
    const control = screen.getByRole(name.source === 'Old Salt' ? 'link' : 'button', { name });
    control.focus();
    act(() => control.click());
    await settle();
    return scrolled.mock.lastCall;
  };
  return { sdk, scrolled, press };
}

test('a view opens at its top and focuses the page; on close, scroll position and focus return', async () => {
  const { scrolled, press } = await openPage();
  vi.spyOn(window, 'scrollY', 'get').mockReturnValue(640);
  expect(scrolled).not.toHaveBeenCalled();
  expect(await press(/Mara/)).toEqual([0, 0]);
  expect(document.activeElement).toBe(screen.getByRole('main'));
  vi.spyOn(window, 'scrollY', 'get').mockReturnValue(90);
  // From one view to another.
  expect(await press(/Old Salt/)).toEqual([0, 0]);
  expect(screen.getByRole('button', { name: 'Close old-salt' })).toBeTruthy();
  expect(await press(/Close/)).toEqual([0, 640]);
  expect(document.activeElement?.textContent).toBe('Mara');
});

test('a view has an address with the other values of its tab, and uses the history of the shell', async () => {
  const { sdk, press } = await openPage();
  expect(screen.getByRole('link').getAttribute('href')).toBe('?tab=leaderboard&period=week&miner=old-salt');
  const steps = { stepTo: vi.fn(sdk.tabs.setParam), leaveViews: vi.fn(() => false) };
  setViewSteps(steps);
  await press(/Mara/);
  expect(steps.stepTo.mock.calls).toEqual([['leaderboard', 'miner', 'mara']]);
  await press(/Close/);
  expect(sdk.tabs.params.get()).toEqual({ leaderboard: { period: 'week' } });
  await press(/Mara/);
  steps.leaveViews.mockReturnValue(true);
  await press(/Close/);
  expect(sdk.tabs.params.get()).toEqual({ leaderboard: { period: 'week', miner: 'mara' } });
  setViewSteps(null);
});

function Period() {
  const [period, choose] = useTabChoice('period', ['day', 'week']);
  return (
    <>
      <output>{period}</output>
      <button type="button" onClick={() => choose('day')}>
        day
      </button>
      <button type="button" onClick={() => choose('week')}>
        week
      </button>
    </>
  );
}

test('the first choice is left out of the address, and replaces an unknown value', () => {
  const sdk = createTestSdk();
  sdk.tabs.setParam('dashboard', 'period', 'century');
  renderWithSdk(<Period />, sdk);
  const shown = () => [screen.getByRole('status').textContent, sdk.tabs.params.get().dashboard?.period];
  expect(shown()).toEqual(['day', 'century']);
  act(() => screen.getByRole('button', { name: 'week' }).click());
  expect(shown()).toEqual(['week', 'week']);
  act(() => screen.getByRole('button', { name: 'day' }).click());
  expect(shown()).toEqual(['day', undefined]);
});

test('unchanged values stay the same object', () => {
  const all = { tasks: { kind: 'daily' } };
  expect(withParam(all, 'tasks', 'kind', 'daily')).toBe(all);
  expect(withParam(all, 'tasks', 'page', null)).toBe(all);
  expect(withParam(all, 'tasks', 'kind', null)).toEqual({ tasks: {} });
});

function Titled({ title }: { title: string | null }) {
  usePageTitle(title);
  return null;
}

test('a view sets the title while it is mounted, and keeps the title of a later view', () => {
  const sdk = createTestSdk();
  const { rerender, unmount } = renderWithSdk(<Titled title={null} />, sdk);
  const show = (title: string) =>
    rerender(
      <SdkProvider sdk={sdk}>
        <Titled title={title} />
      </SdkProvider>,
    );
  expect(pageTitle.get()).toBeNull();
  show('Mara');
  expect(pageTitle.get()).toBe('Mara');
  pageTitle.set('Old Salt');
  unmount();
  expect(pageTitle.get()).toBe('Old Salt');
  pageTitle.set(null);
  renderWithSdk(<Titled title="Mara" />, sdk).unmount();
  expect(pageTitle.get()).toBeNull();
});
