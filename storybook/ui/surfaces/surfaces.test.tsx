import { fireEvent, render, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Avatar } from '../identity/avatar';
import { TabIcon } from '../identity/tab-icon';
import { CategoryBadge } from './badge';
import { Card } from './card';
import { Cell, Cells } from './cells';
import { Table } from './table';
import { ViewPage } from './view-page';

it('a table has a caption, and headers for columns and rows', () => {
  render(
    <Table
      caption="Friends"
      columns={[
        { key: 'name', head: 'Name', cell: ({ name }) => name, names: true },
        { key: 'earned', head: 'Earned', cell: ({ earned }) => earned, align: 'right', from: 768 },
      ]}
      rows={[
        { name: 'Mara', earned: '5.00' },
        { name: 'Old Salt', earned: '7.00' },
      ]}
      rowKey={({ name }) => name}
    />,
  );
  const table = within(screen.getByRole('table', { name: 'Friends' }));
  expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Name', 'Earned']);
  expect(table.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['Mara', 'Old Salt']);
  const [earned] = table.getAllByRole('cell');
  expect([earned?.textContent, earned?.className.includes('l-from768')]).toEqual(['5.00', true]);
});

it('a cell shows a skeleton until its number is known, then number, unit and data', () => {
  const cell = (value?: string) => (
    <Cells>
      <Cell label="Rank" value={value} unit="of 9" hint="This week" testId="rank" dataValue={value} />
    </Cells>
  );
  const { container, rerender } = render(cell());
  expect(container.textContent).toBe('RankThis week');
  rerender(cell('#3'));
  expect(container.textContent).toBe('Rank#3of 9This week');
  expect(screen.getByTestId('rank').dataset.value).toBe('#3');
});

it('a view takes the focus when it opens, without a tab stop', () => {
  render(<ViewPage testId="view">Earnings</ViewPage>);
  const view = screen.getByTestId('view');
  expect([document.activeElement, view.tabIndex]).toEqual([view, -1]);
});

it('a card has a head only with a title or an aside', () => {
  const { container, rerender } = render(<Card>It</Card>);
  expect(container.querySelector('header')).toBeNull();
  rerender(<Card aside="3 left">It</Card>);
  expect(container.querySelector('header')?.textContent).toBe('3 left');
  rerender(<Card title="Tasks">It</Card>);
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Tasks');
});

it('a category badge has a capital letter, also for an unknown category', () => {
  const { container } = render(
    ['daily', 'weekly', 'social'].map((category) => <CategoryBadge key={category} category={category} />),
  );
  const badges = [...container.querySelectorAll<HTMLElement>('[data-tone]')];
  expect(badges.map(({ textContent, dataset }) => [textContent, dataset.tone])).toEqual([
    ['Daily', 'accent'],
    ['Weekly', 'sky'],
    ['Social', 'plain'],
  ]);
});

it('an avatar shows a picture once it has loaded, and its initials again when the picture changes', () => {
  const { container, rerender } = render(<Avatar name="Mara Okafor" src="/a.png" />);
  const picture = () => container.querySelector('img');
  const before = picture()?.className;
  fireEvent.load(picture() as HTMLImageElement);
  expect(picture()?.className).not.toBe(before);
  rerender(<Avatar name="Mara Okafor" src="/b.png" />);
  expect(picture()?.className).toBe(before);
  expect(container.querySelector('[data-letters]')?.getAttribute('data-letters')).toBe('MO');
  rerender(<Avatar name="Mara Okafor" src={null} />);
  expect(picture()).toBeNull();
});

it('an unknown icon name is drawn as a window, also `constructor`', () => {
  const drawn = (icon: string) => render(<TabIcon icon={icon} />).container.innerHTML;
  expect(drawn('constructor')).toBe(drawn('of a newer module'));
  expect(drawn('users')).not.toBe(drawn('of a newer module'));
});
