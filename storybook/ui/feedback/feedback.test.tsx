import { act, render, screen } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { actionGate } from '../actions/action-gate';
import { UNKNOWN } from '../format';
import { Notice } from './notice';
import { Progress } from './progress';
import { SkeletonRegion } from './skeleton';
import { TabErrorPanel } from './tab-error-panel';

describe('progress', () => {
  it.each([
    [64.9, '64.9', '64%'],
    [130, '100', '100%'],
    [-5, '0', '0%'],
    [null, null, UNKNOWN],
    [Number.NaN, null, UNKNOWN],
  ])('of %s is announced as %s and shown as %s', (percent, now, text) => {
    const { container } = render(<Progress percent={percent} label="640.12 of 1,000.00" />);
    const bar = screen.getByRole('progressbar', { name: '640.12 of 1,000.00' });
    expect([bar.getAttribute('aria-valuenow'), bar.getAttribute('aria-valuetext')]).toEqual([now, text]);
    expect(container.textContent).toBe(`640.12 of 1,000.00${text}`);
    const fill = bar.firstElementChild as HTMLElement;
    expect(fill.style.getPropertyValue('--value')).toBe(`${now ?? 0}%`);
  });
});

describe('a loading region', () => {
  it('is announced after 200 ms, so that a fast response is not', () => {
    vi.useFakeTimers();
    const { unmount } = render(<SkeletonRegion heights={[20, 40]} />);
    const region = screen.getByRole('status');
    expect([region.getAttribute('aria-busy'), region.childElementCount]).toEqual(['true', 2]);
    act(() => vi.advanceTimersByTime(199));
    expect(region.textContent).toBe('');
    act(() => vi.advanceTimersByTime(1));
    expect(region.textContent).toBe('Loading');
    unmount();
    render(<SkeletonRegion />).unmount();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('an error panel', () => {
  const panel = () => screen.getByRole('alert').textContent;

  it('shows its own text, else why actions wait, else that nothing is lost', () => {
    onTestFinished(() => act(() => actionGate.open()));
    const { rerender } = render(<TabErrorPanel title="Rankings could not be loaded" onRetry={() => undefined} />);
    expect(panel()).toContain('Your node and balance are not affected.');
    act(() => actionGate.shut('This waits until you are online again.'));
    expect(panel()).toContain('This waits until you are online again.');
    rerender(
      <TabErrorPanel title="Rankings could not be loaded" onRetry={() => undefined}>
        Your claim is safe.
      </TabErrorPanel>,
    );
    expect(panel()).toBe('Rankings could not be loadedYour claim is safe.');
  });

  it('retries on a press, but not during a retry or while the server is unreachable', () => {
    onTestFinished(() => act(() => actionGate.open()));
    const onRetry = vi.fn();
    const { rerender } = render(<TabErrorPanel title="It failed" onRetry={onRetry} />);
    const press = () => screen.getByRole('button').click();
    press();
    rerender(<TabErrorPanel title="It failed" onRetry={onRetry} retrying />);
    press();
    rerender(<TabErrorPanel title="It failed" onRetry={onRetry} />);
    act(() => actionGate.shut('This waits until you are online again.'));
    press();
    expect(onRetry).toHaveBeenCalledOnce();
  });
});

it.each([undefined, null, ''])('a notice shows its text unless there is an error: %o', (error) => {
  const { rerender } = render(
    <Notice title="Claim" error={error}>
      You can claim 5 CORD.
    </Notice>,
  );
  const shown = () => [screen.queryByText('You can claim 5 CORD.') !== null, screen.getByRole('alert').textContent];
  expect(shown()).toEqual([true, '']);
  rerender(
    <Notice title="Claim" error="Network error">
      You can claim 5 CORD.
    </Notice>,
  );
  expect(shown()).toEqual([false, 'Network error']);
});
