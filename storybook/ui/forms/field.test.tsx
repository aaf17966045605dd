import { act, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { actionGate } from '../actions/action-gate';
import { Input } from './input';
import { Switch } from './switch';

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

it.each([{ help: 'Sounds off' }, { labelHidden: true }, {}])(
  'a switch that waits for the server shows why: %o',
  (look) => {
    render(<Switch {...look} needsServer label="Quiet" checked={false} onChange={() => undefined} />);
    const why = () => {
      const described = screen.getByRole('switch', { name: 'Quiet' }).getAttribute('aria-describedby');
      return described && document.getElementById(described)?.textContent;
    };
    const before = why();
    act(() => actionGate.shut('This waits until you are online again.'));
    expect(why()).toBe('This waits until you are online again.');
    act(() => actionGate.open());
    expect(why()).toBe(before);
  },
);
