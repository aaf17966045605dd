import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { UNKNOWN } from '../format';
import { Amount } from './amount';
import { LedgerRows } from './ledger-rows';
import { RateTable } from './rate-table';

describe('an amount', () => {
  it.each([
    [419.339, 'cord', '419.33', '419.339'],
    [1_925_000n, 'rate', '1.925000', '1.925'],
    [7_912_499, 'k', '7,912.4K', '7912499'],
    [null, 'cord', UNKNOWN, undefined],
  ] as const)('%s as %s is %s, with the plain number as data', (value, kind, text, data) => {
    render(<Amount value={value} kind={kind} unit="CORD" testId="it" />);
    const digits = screen.getByTestId('it');
    expect([digits.textContent, digits.dataset.value]).toEqual([text, data]);
    expect(digits.parentElement?.parentElement?.textContent).toBe(`${text} CORD`);
  });

  it('hides ticking digits from screen readers, which read a text instead', () => {
    const { rerender } = render(<Amount value={1} testId="it" />);
    const digits = screen.getByTestId('it');
    expect(digits.getAttribute('aria-hidden')).toBeNull();
    rerender(<Amount value={1} readerText="1 CORD" testId="it" />);
    expect([digits.getAttribute('aria-hidden'), digits.nextSibling?.textContent]).toEqual(['true', '1 CORD']);
  });
});

it('ledger entries show the sign of each amount, and the balance after it unless they are compact', () => {
  const rows = [
    { id: '1', title: 'Daily check-in', note: 'Task', amount: 12.5, after: '62.50 after' },
    { id: '2', title: 'Correction', note: 'Operator', amount: -3_000_000n, after: '59.50 after' },
  ];
  const { rerender } = render(<LedgerRows rows={rows} />);
  const texts = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(texts()).toEqual(['Daily check-inTask+12.5062.50 after', 'CorrectionOperator-3.0059.50 after']);
  rerender(<LedgerRows rows={rows} compact />);
  expect(texts()).toEqual(['Daily check-inTask+12.50', 'CorrectionOperator-3.00']);
});

it('a rate table shows what each factor adds or takes, the base and the total without a sign', () => {
  const row = { active: true, label: 'It' } as const;
  render(
    <RateTable
      rows={[
        { ...row, key: 'base', factor: 1, adds: 0.5 },
        { ...row, key: 'age', factor: 3.5, adds: 1.25 },
        { ...row, key: 'badge', factor: 1, adds: 0, active: false },
        { ...row, key: 'antiCheat', factor: 0.5, adds: -0.875 },
      ]}
      totalLabel="Your rate"
      totalFactor={1.75}
      total={0.875}
    />,
  );
  const cells = screen.getAllByRole('row').map((each) => [...each.querySelectorAll('td')].map((td) => td.textContent));
  expect(cells.slice(1)).toEqual([
    ['', '0.500000'],
    ['×3.5', '+1.250000'],
    ['×1', '0.000000'],
    ['×0.5', '-0.875000'],
    ['×1.75', '0.875000'],
  ]);
  expect(screen.getAllByRole('rowheader')).toHaveLength(5);
  const strands = [...document.querySelectorAll('svg')].map((mark) =>
    mark.querySelector('path')?.getAttribute('stroke'),
  );
  expect(strands).toEqual(['var(--y-base)', 'var(--y-age)', 'var(--edge)', 'var(--edge)']);
});
