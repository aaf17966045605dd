// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Input } from './input';

afterEach(cleanup);

it('has its error read as it comes; help that changes with each key is read with the field alone', () => {
  const { container, rerender } = render(<Input label="Subject" help="3 of 80 characters" />);
  const live = container.querySelector('[aria-live=polite]');
  const read = () => document.getElementById(screen.getByLabelText('Subject').getAttribute('aria-describedby') ?? '');
  expect([live?.textContent, read()?.textContent]).toEqual(['', '3 of 80 characters']);
  rerender(<Input label="Subject" help="0 of 80 characters" error="Enter a subject" />);
  expect(container.querySelector('[aria-live=polite]')).toBe(live);
  expect([live?.textContent, read()?.textContent]).toEqual(['Enter a subject', 'Enter a subject']);
  expect(screen.getByLabelText('Subject').getAttribute('aria-invalid')).toBe('true');
});
