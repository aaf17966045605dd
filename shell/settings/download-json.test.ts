// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { downloadJson } from './download-json';

test('the address of a file outlives the click: Safari and Firefox read it after that', async () => {
  vi.useFakeTimers();
  const revokeObjectURL = vi.fn();
  vi.stubGlobal('URL', { createObjectURL: () => 'blob:1', revokeObjectURL });
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  downloadJson({}, 'data.json');
  await vi.advanceTimersByTimeAsync(10_000);
  expect([click.mock.calls.length, revokeObjectURL.mock.calls.length]).toEqual([1, 0]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(revokeObjectURL).toHaveBeenCalledExactlyOnceWith('blob:1');
});
