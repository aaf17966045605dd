import { act, render, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { actionGate } from '../actions/action-gate';
import { ChipGroup } from '../actions/chip';
import { Input } from './input';
import { Switch } from './switch';
import { TextArea } from './text-area';

it('an input announces its error at once; help that changes with each key is read with the field only', () => {
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
  'a switch that needs the server shows why it is disabled offline: %o',
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

it.each([
  ['locked', <Input key="it" label="It" locked="It has started." />, true, null, 'It has started.'],
  ['locked, with an error', <Input key="it" label="It" locked="It has started." error="No" />, true, 'true', 'No'],
  ['read alone', <Input key="it" label="It" readOnly />, true, null, undefined],
  [
    'without a lock',
    <Input key="it" label="It" locked={false} error={false} help="As it is" />,
    false,
    null,
    'As it is',
  ],
  ['of several lines', <TextArea key="it" label="It" error="Too short" help="As it is" />, false, 'true', 'Too short'],
])('the state and the note of a field that is %s', (_how, field, isReadOnly, invalid, note) => {
  render(field);
  const it = screen.getByLabelText<HTMLInputElement>('It');
  expect([it.readOnly, it.getAttribute('aria-invalid')]).toEqual([isReadOnly, invalid]);
  expect(document.getElementById(it.getAttribute('aria-describedby') ?? '')?.textContent).toBe(note);
});

it('a switch toggles unless disabled, and keeps an external description', () => {
  const onChange = vi.fn();
  const { rerender } = render(<Switch label="Quiet" checked onChange={onChange} aria-describedby="note" />);
  const it = screen.getByRole('switch', { name: 'Quiet', checked: true });
  expect(it.getAttribute('aria-describedby')).toBe('note');
  it.click();
  rerender(<Switch label="Quiet" labelHidden checked={false} onChange={onChange} />);
  screen.getByRole('switch', { name: 'Quiet', checked: false }).click();
  rerender(<Switch label="Quiet" checked={false} disabled onChange={onChange} />);
  it.click();
  expect(it.getAttribute('aria-disabled')).toBe('true');
  expect(onChange.mock.calls).toEqual([[false], [true]]);
});

it('a chip group is one choice by name; each known count is shown, including 0', () => {
  const onChange = vi.fn();
  const options = [
    { value: 'a', label: 'All', count: 0 },
    { value: 'b', label: 'Daily', count: null },
  ] as const;
  render(<ChipGroup label="Task category" value="a" options={options} onChange={onChange} />);
  const chips = within(screen.getByRole('radiogroup', { name: 'Task category' })).getAllByRole<HTMLInputElement>(
    'radio',
  );
  expect(chips.map(({ checked, labels }) => [checked, labels?.[0]?.textContent])).toEqual([
    [true, 'All0'],
    [false, 'Daily'],
  ]);
  const names = new Set(chips.map(({ name }) => name));
  expect([names.size, names.has('')]).toEqual([1, false]);
  chips[1]?.click();
  expect(onChange.mock.calls).toEqual([['b']]);
});
