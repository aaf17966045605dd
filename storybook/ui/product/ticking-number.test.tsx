import { act, render } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { TickingNumber } from './ticking-number';

it('a screen reader gets a newly known number at once, and a ticking one once a minute', () => {
  vi.useFakeTimers();
  const show = (text: string) => <TickingNumber text={text} readerText={`${text} CORD`} />;
  const { container, rerender } = render(show('–'));
  const read = () => container.querySelector('span > span:not([aria-hidden])')?.textContent;
  expect(read()).toBe('– CORD');
  rerender(show('419.33'));
  expect(read()).toBe('419.33 CORD');
  rerender(show('419.35'));
  expect(read()).toBe('419.33 CORD');
  act(() => vi.advanceTimersByTime(60_000));
  expect(read()).toBe('419.35 CORD');
  rerender(show('–'));
  expect(read()).toBe('– CORD');
});
