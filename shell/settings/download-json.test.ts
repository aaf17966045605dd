// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { downloadJson } from './download-json';

test('the URL of a file is revoked only after 10 s, as Safari and Firefox read it after the click', async () => {
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
