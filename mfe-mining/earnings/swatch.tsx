import { useRuleBook, useSessionValue } from '@cord/sdk';
import { rem } from '@cord/ui';
import { type ReactNode, useId } from 'react';
import s from './by-source.module.css';
import { ClaimsBox } from './column';
import { epochAt } from './epochs';
import { Patterns, patternOf } from './patterns';
import type { EarningsSource } from './sources';
import { strandsThen } from './strands-then';
import type { Earnings } from './use-earnings';

const WIDTH = 13;
const HEIGHT = 21;
const SIZE = { width: rem(WIDTH), height: rem(HEIGHT) };

/** Provides the fills of the legend, as for a column of now. */
export function Swatches({ earnings, children }: { earnings: Earnings; children: (id: string) => ReactNode }) {
  const id = useId().replace(/[^a-zA-Z0-9]/g, '');
  const multiplier = useSessionValue(({ user }) => user?.multiplier) ?? 1;
  const badge = useSessionValue(({ user }) => user?.hasbadgeofhonor) ?? false;
  const { epochs, nowMs, periods } = earnings;
  const last = periods.at(-1);
  const factor = epochAt(epochs, nowMs)?.factor ?? 1;
  const now = { multiplier, badge };
  const book = useRuleBook();
  return (
    <>
      <svg width="0" height="0" className={s.patterns} aria-hidden="true">
        <Patterns id={id} width={WIDTH} cords={last ? [strandsThen(book, last, factor, now)] : []} />
      </svg>
      {children(id)}
    </>
  );
}

/** A short piece of a source's pattern. */
export function Swatch({ of, source }: { of: string; source: EarningsSource }) {
  const fill = patternOf(of, source, 0);
  return (
    <svg className="l-fixed" style={SIZE} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {source === 'claims' ? (
        <ClaimsBox y={0} height={HEIGHT} width={WIDTH} fill={fill} />
      ) : (
        <rect width={WIDTH} height={HEIGHT} rx="1.5" fill={fill} />
      )}
    </svg>
  );
}
