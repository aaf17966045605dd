import { DAY_MS } from '@cord/contracts/rules/days';
import { cleanup, inFakeTime, renderWithSdk } from '@cord/sdk/testing/render';
import { afterEach, expect, test } from 'vitest';
import { EarningsChart } from './chart';
import { answerOf, earningsSdk, NOW_MS, newcomerEarnings, STREAK } from './earnings.fixtures';
import { type EpochSpan, epochLabel } from './epochs';
import { textWidth } from './layout';
import { periodsOf } from './periods';

inFakeTime();
afterEach(() => void Reflect.deleteProperty(HTMLElement.prototype, 'clientWidth'));

/** Extent of 12 px text above and below its baseline, px. */
const RISE = 10;
const DROP = 3;

interface Box {
  text: string;
  from: number;
  to: number;
  top: number;
  bottom: number;
}

/** Returns the box of a chart text from its anchor and the transforms of its groups. */
function boxOf(element: Element): Box {
  const text = element.textContent ?? '';
  const at = (name: string) => Number(element.getAttribute(name));
  let [x, y] = [at('x'), at('y')];
  for (let group = element.parentElement; group !== null; group = group.parentElement) {
    const [, dx = 0, dy = 0] = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(group.getAttribute('transform') ?? '') ?? [];
    x += Number(dx);
    y += Number(dy);
  }
  const width = textWidth(text);
  const share = { end: 1, middle: 0.5 }[element.getAttribute('text-anchor') ?? ''] ?? 0;
  return { text, from: x - share * width, to: x + (1 - share) * width, top: y - RISE, bottom: y + DROP };
}

/** Columns are positioned in hundredths of a px. */
const ROUNDED = 0.01;
/** Minimum gap of two texts on one line, px. */
const APART = 2;

const meet = (a: Box, b: Box) => a.from < b.to + APART && b.from < a.to + APART && a.top < b.bottom && b.top < a.bottom;

const DAYS = 30;
const dayMs = (index: number) => NOW_MS - (DAYS - 1 - index) * DAY_MS;
const epoch = (name: string, day: number, lasts: number): EpochSpan => ({
  ...{ id: name, name, factor: 1.1 },
  ...{ startMs: dayMs(day), endMs: dayMs(day + lasts) },
});

/** Returns thirty days of earnings, with the days above the scale and the first days of epochs. */
function earningsOf(cut: readonly number[], begin: readonly number[], joinedDay: number) {
  const answer = answerOf(
    '30d',
    newcomerEarnings().buckets.map(({ key }, index) => {
      const claims = cut.includes(index) ? 9_000 * 11 ** (index % 5) : 0;
      const mining = index < joinedDay ? 0 : 700 + 40 * index;
      const none = { checkin: 0, tasks: 0, commission: 0, ranMs: 0 };
      return { ...none, key, mining, claims, total: mining + claims };
    }),
  );
  const joinedMs = dayMs(joinedDay);
  const names = ['Alpha', 'Epoch Beta', 'The Long Winter', 'Gamma', 'Delta', 'Epsilon'];
  return {
    ...{ range: '30d' as const, answer, streak: STREAK, joinedMs, nowMs: NOW_MS },
    periods: periodsOf(answer, { streak: STREAK, joinedMs, nowMs: NOW_MS }),
    epochs: begin.map((day, n) => epoch(names[n] ?? `Epoch ${n}`, day, (begin[n + 1] ?? DAYS) - day)),
  };
}

const WIDTHS = [240, 272, 320, 358, 390, 460, 559, 560, 640, 720, 876, 1_024, 1_200];
const SHOWN = {
  'three days beside each other, under two epochs': earningsOf([27, 28, 29], [-15, 14], 0),
  'every third day, an epoch at some of them': earningsOf([0, 3, 6, 9, 12, 15, 18, 21, 24, 27], [-4, 3, 6, 21, 27], 0),
  'ten days in a row, an epoch a few days': earningsOf(
    Array.from({ length: 10 }, (_, n) => n + 16),
    [0, 5, 9, 17, 20, 28],
    0,
  ),
  'days of a new account': earningsOf([26, 27, 29], [-40, 12, 26], 25),
};

/** Returns the position of a vertical line, which marks an epoch. */
const upright = (line: Element) => {
  const [x1 = 0, x2 = 0, y1 = 0] = ['x1', 'x2', 'y1'].map((name) => Number(line.getAttribute(name)));
  return x1 === x2 ? [{ x: x1, top: y1 }] : [];
};
/** Texts above this, px, are names of epochs. */
const NAMES_ABOVE = 20;

test.each(Object.entries(SHOWN))(
  'no text of the chart overlaps another or an epoch line or leaves the chart, and the current epoch is named: %s',
  (_what, earnings) => {
    const latest = epochLabel(earnings.epochs.at(-1) as EpochSpan, true);
    for (const size of ['view', 'card'] as const) {
      for (const width of WIDTHS) {
        Object.defineProperty(HTMLElement.prototype, 'clientWidth', { configurable: true, get: () => width });
        const { container } = renderWithSdk(<EarningsChart earnings={earnings} size={size} />, earningsSdk());
        const boxes = [...container.querySelectorAll('svg text')].map(boxOf);
        const lines = [...container.querySelectorAll('svg line')].flatMap(upright);
        const names = boxes.filter(({ bottom }) => bottom < NAMES_ABOVE);
        const cut = earnings.periods.filter(({ bucket }) => bucket.claims > 0);
        // At least each sum, the scale and the name of today.
        expect(boxes.length).toBeGreaterThan(cut.length + 2);
        expect(lines.length).toBeGreaterThan(0);
        const wrong = boxes.flatMap((box, n) => {
          const others = boxes.slice(n + 1).filter((other) => meet(box, other));
          const outside = box.from < 0 || box.to > width + ROUNDED || box.top < 0;
          return [...others.map((other) => `${box.text} | ${other.text}`), ...(outside ? [`${box.text} leaves`] : [])];
        });
        const crossed = names.filter(({ from, to, bottom }) =>
          lines.some(({ x, top }) => from < x && x < to && top < bottom),
        );
        wrong.push(...crossed.map(({ text }) => `a line through ${text}`));
        if (!names.some(({ text }) => text.includes(latest))) wrong.push(`no name of ${latest}`);
        expect([width, size, wrong]).toEqual([width, size, []]);
        cleanup();
      }
    }
  },
);
