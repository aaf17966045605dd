// @vitest-environment jsdom
import { useEffect, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lifecycles, type PageLifecycles } from './lifecycles';
import { useSessionValue } from './node';
import { usePageShown, usePageTab } from './page-place';
import { installSdk } from './sdk';
import { createTestSdk } from './testing';
import { act } from './testing/render';

let domElement: HTMLElement;

beforeEach(() => {
  installSdk(createTestSdk());
  domElement = document.createElement('div');
});

afterEach(() => {
  vi.restoreAllMocks();
});

function Page() {
  return <p>{useSessionValue(({ user }) => user?.username)}</p>;
}

function Broken(): never {
  throw new Error('broken');
}

/** Mounts and waits until the page is on screen. */
async function mount(page: PageLifecycles, onError: (error: unknown) => void = () => undefined): Promise<void> {
  let shown: Promise<void> | undefined;
  await act(async () => {
    shown = page.mount({ domElement, onError, tab: 'tasks' });
  });
  await shown;
}

test('a page is mounted with the shell’s sdk and leaves nothing behind', async () => {
  const page = lifecycles(Page);
  await page.bootstrap({ domElement });
  await mount(page);
  expect(domElement.textContent).toBe('mara.okafor');
  await act(() => page.unmount({ domElement }));
  expect(domElement.textContent).toBe('');
});

test('a page can be mounted again after it has left', async () => {
  const page = lifecycles(Page);
  for (let round = 0; round < 2; round += 1) {
    await mount(page);
    expect(domElement.textContent).toBe('mara.okafor');
    await act(() => page.unmount({ domElement }));
  }
});

test('a page that throws tells the shell, and still mounts and leaves', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const onError = vi.fn();
  const page = lifecycles(Broken);
  await mount(page, onError);
  expect(onError).toHaveBeenCalledWith(expect.objectContaining({ message: 'broken' }));
  await act(() => page.unmount({ domElement }));
});

test('leaving twice is no error', async () => {
  const page = lifecycles(Page);
  await mount(page);
  await act(() => page.unmount({ domElement }));
  await expect(page.unmount({ domElement })).resolves.toBeUndefined();
});

test('a hidden page keeps its element and its state, runs nothing, and knows that nobody sees it', async () => {
  const ran = vi.fn();
  const shown: boolean[] = [];
  const page = lifecycles(() => {
    const [born] = useState(() => Symbol('born'));
    shown.push(usePageShown());
    useEffect(() => {
      ran('on', born);
      return () => void ran('off', born);
    }, [born]);
    return <input aria-label={usePageTab() ?? 'none'} />;
  });
  await mount(page);
  const typed = domElement.querySelector('input') as HTMLInputElement;
  expect(typed.getAttribute('aria-label')).toBe('tasks');
  typed.value = 'ada';
  await act(() => page.hide({ domElement, tab: 'tasks' }));
  expect(ran.mock.calls.map(([what]) => what)).toEqual(['on', 'off']);
  expect(shown.at(-1)).toBe(false);
  await mount(page);
  expect(domElement.querySelector('input')).toBe(typed);
  expect(typed.value).toBe('ada');
  expect(shown.at(-1)).toBe(true);
  expect(ran.mock.calls.map(([what]) => what)).toEqual(['on', 'off', 'on']);
  expect(new Set(ran.mock.calls.map(([, born]) => born)).size).toBe(1);
});

test('hiding what was never mounted makes nothing', async () => {
  await act(() => lifecycles(Page).hide({ domElement }));
  expect(domElement.childElementCount).toBe(0);
});
