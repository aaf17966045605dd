import { type CSSProperties, type ReactNode, useEffect, useState } from 'react';
import { cx } from '../class-names';
import { rem } from '../rem';
import { uiText } from '../ui-texts';
import s from './skeleton.module.css';

export interface SkeletonProps {
  width?: CSSProperties['width'];
  height?: CSSProperties['height'];
  /** A circle, for a picture. */
  round?: boolean | undefined;
  /** With the corners of a card. */
  card?: boolean | undefined;
  className?: string | undefined;
}

/** A placeholder of loading content. Invisible for the first 200 ms, so that fast responses do not flash. */
export function Skeleton({ width = '100%', height = 18, round = false, card = false, className }: SkeletonProps) {
  return (
    <span
      className={cx(s.box, round && s.round, card && s.card, className)}
      style={{ width: rem(width), height: rem(height) }}
      aria-hidden="true"
    />
  );
}

/** The placeholder of a cord dial; `size` is the dial's. */
export function DialSkeleton({ size = 272 }: { size?: number | undefined }) {
  return (
    <span className={s.dial} style={{ width: rem(size) }} aria-hidden="true">
      <span className={cx(s.box, s.ring)} style={{ borderWidth: rem(Math.round(size * 0.078)) }} />
    </span>
  );
}

interface SkeletonRegionProps {
  label?: string | undefined;
  /** Heights of a column of plain boxes, px. */
  heights?: readonly number[];
  /** Other placeholders. */
  children?: ReactNode;
  className?: string | undefined;
}

/** Wraps skeletons and announces "Loading" to screen readers once. */
export function SkeletonRegion({ label = uiText('loading'), heights = [], children, className }: SkeletonRegionProps) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={className} aria-busy="true" role="status">
      {shown && <span className="t-hidden">{label}</span>}
      {heights.map((height, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: boxes have nothing but their place
        <Skeleton key={index} height={height} />
      ))}
      {children}
    </div>
  );
}
