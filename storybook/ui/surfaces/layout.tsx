import type { ComponentPropsWithRef, CSSProperties, ElementType, ReactElement, ReactNode } from 'react';
import { cx } from '../class-names';
import { rem } from '../rem';
import s from './layout.module.css';

/** Pixels, or a CSS value: `4px 16px` for rows and columns, `var(--gap)` for the gap between cards. */
type Gap = number | string;

interface Layout<Tag extends ElementType> {
  /** The element; a `div` by default. */
  as?: Tag | undefined;
  gap?: Gap | undefined;
}

type Of<Tag extends ElementType, Props> = Props & Omit<ComponentPropsWithRef<Tag>, keyof Props>;

export type RowProps<Tag extends ElementType = 'div'> = Of<
  Tag,
  Layout<Tag> & {
    /** Vertical alignment; by default all are as high as the highest. */
    align?: CSSProperties['alignItems'] | undefined;
    /** Puts the first at the left edge, the last at the right. */
    between?: boolean | undefined;
    /** Wraps to the next line if there is no room. */
    wrap?: boolean | undefined;
    /** Inline in text, no wider than its content. */
    inline?: boolean | undefined;
  }
>;

/** Lays out its children in a row. */
export function Row<Tag extends ElementType = 'div'>(props: RowProps<Tag>): ReactElement;
export function Row({ as: Element = 'div', gap, align, between, wrap, inline, className, style, ...rest }: RowProps) {
  const classes = cx(s.row, between && s.between, wrap && s.wrap, inline && s.inline, className);
  return <Element {...rest} className={classes} style={{ gap: rem(gap), alignItems: align, ...style }} />;
}

export type StackProps<Tag extends ElementType = 'div'> = Of<
  Tag,
  Layout<Tag> & {
    /** Horizontal alignment; by default all take the full width. */
    align?: CSSProperties['justifyItems'] | undefined;
  }
>;

/** Lays out its children in a column. */
export function Stack<Tag extends ElementType = 'div'>(props: StackProps<Tag>): ReactElement;
export function Stack({ as: Element = 'div', gap, align, className, style, ...rest }: StackProps) {
  return (
    <Element {...rest} className={cx(s.stack, className)} style={{ gap: rem(gap), justifyItems: align, ...style }} />
  );
}

export interface ColumnsProps {
  /** `start`: each is as high as its content; by default both are as high as the higher one. */
  align?: 'start' | undefined;
  children: ReactNode;
}

/** Cards in two columns, the first a little wider; one column below 1024 px. */
export function Columns({ align, children }: ColumnsProps) {
  return (
    <div className={s.columns} style={{ alignItems: align }}>
      {children}
    </div>
  );
}
