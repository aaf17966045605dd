import type { ReactNode } from 'react';
import { cx } from '../class-names';
import { TickingNumber } from '../product/ticking-number';
import { rem } from '../rem';
import s from './dial-reading.module.css';

export interface DialReadingProps {
  /** The size of the dial around it. */
  size: number;
  /** Already formatted: 419.33. */
  number: string;
  /** Under the number: "CORD, session earned". */
  under?: ReactNode;
  /** Above: a `NodeBadge`, or a label. */
  above?: ReactNode;
  /** A small line at the bottom: "1 CORD every 31 s". */
  note?: ReactNode;
  /** Text for screen readers, updated once a minute, because the digits of a ticking number are hidden from them. */
  readerText?: string | undefined;
  testId?: string | undefined;
  dataValue?: string | number | undefined;
}

/** Font size in px by number of characters: up to 6, 8, 10, 12 (the visual language, The cord dial). */
const STEPS: readonly [minSize: number, px: readonly [number, number, number, number]][] = [
  [400, [64, 46, 40, 32]],
  [300, [48, 36, 32, 26]],
  [200, [32, 24, 22, 20]],
  [0, [20, 16, 14, 12]],
];

/** Font size in px of a reading of `characters` in a dial of `size`; longer numbers step down, they never end in an ellipsis. */
export function readingPx(size: number, characters: number): number {
  const step = characters <= 6 ? 0 : characters <= 8 ? 1 : characters <= 10 ? 2 : 3;
  const row = STEPS.find(([min]) => size >= min) ?? STEPS[STEPS.length - 1];
  return row ? (row[1][step] ?? 12) : 12;
}

/** The number in the middle of the dial. */
export function DialReading({ size, number, under, above, note, readerText, testId, dataValue }: DialReadingProps) {
  const px = readingPx(size, number.length);
  return (
    <div className={cx(s.reading, size >= 300 && s.large)}>
      {above !== undefined && <div className={s.above}>{above}</div>}
      <TickingNumber
        className={s.number}
        // Shrinks with the dial if the screen is narrower.
        style={{ fontSize: `min(${rem(px)}, ${((px / size) * 100).toFixed(2)}cqi)` }}
        text={number}
        readerText={readerText}
        testId={testId}
        dataValue={dataValue}
      />
      {under !== undefined && <div className={s.under}>{under}</div>}
      {note !== undefined && <div className={s.note}>{note}</div>}
    </div>
  );
}
