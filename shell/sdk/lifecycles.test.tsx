// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lifecycles } from './lifecycles';
import { useSession } from './node';
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
  return <p>{useSession().user?.username}</p>;
}

function Broken(): never {
  throw new Error('broken');
}

test('a page is mounted with the shell’s sdk and leaves nothing behind', async () => {
  const page = lifecycles(Page);
  await page.bootstrap({ domElement });
  await act(() => page.mount({ domElement }));
  expect(domElement.textContent).toBe('mara.okafor');
  await act(() => page.unmount({ domElement }));
  expect(domElement.textContent).toBe('');
});

test('a page can be mounted again after it has left', async () => {
  const page = lifecycles(Page);
  for (let round = 0; round < 2; round += 1) {
    await act(() => page.mount({ domElement }));
    expect(domElement.textContent).toBe('mara.okafor');
    await act(() => page.unmount({ domElement }));
  }
});

test('a page that throws tells the shell, and still mounts and leaves', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const onError = vi.fn();
  const page = lifecycles(Broken);
  await act(() => page.mount({ domElement, onError }));
  expect(onError).toHaveBeenCalledWith(expect.objectContaining({ message: 'broken' }));
  await act(() => page.unmount({ domElement }));
});

test('leaving twice is no error', async () => {
  const page = lifecycles(Page);
  await act(() => page.mount({ domElement }));
  await act(() => page.unmount({ domElement }));
  await expect(page.unmount({ domElement })).resolves.toBeUndefined();
});
