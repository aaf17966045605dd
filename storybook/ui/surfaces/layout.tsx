import type { ComponentPropsWithRef, CSSProperties, ElementType, ReactElement, ReactNode } from 'react';
import { cx } from '../class-names';
import { rem } from '../rem';
import s from './layout.module.css';

/** Pixels, or what CSS takes: `4px 16px` for lines and columns, `var(--gap)` for the distance of cards. */
type Gap = number | string;

interface Layout<Tag extends ElementType> {
  /** The element; a `div` by itself. */
  as?: Tag | undefined;
  gap?: Gap | undefined;
}

type Of<Tag extends ElementType, Props> = Props & Omit<ComponentPropsWithRef<Tag>, keyof Props>;

export type RowProps<Tag extends ElementType = 'div'> = Of<
  Tag,
  Layout<Tag> & {
    /** How they stand to each other in height; by itself all are as high as the highest. */
    align?: CSSProperties['alignItems'] | undefined;
    /** The first at the left edge, the last at the right. */
    between?: boolean | undefined;
    /** In a next line where there is no room. */
    wrap?: boolean | undefined;
    /** In a line of text, no wider than its content. */
    inline?: boolean | undefined;
  }
>;

/** Things beside each other. */
export function Row<Tag extends ElementType = 'div'>(props: RowProps<Tag>): ReactElement;
export function Row({ as: Element = 'div', gap, align, between, wrap, inline, className, style, ...rest }: RowProps) {
  const classes = cx(s.row, between && s.between, wrap && s.wrap, inline && s.inline, className);
  return <Element {...rest} className={classes} style={{ gap: rem(gap), alignItems: align, ...style }} />;
}

export type StackProps<Tag extends ElementType = 'div'> = Of<
  Tag,
  Layout<Tag> & {
    /** Where they stand in its width; by itself all are as wide as it. */
    align?: CSSProperties['justifyItems'] | undefined;
  }
>;

/** Things under each other. */
export function Stack<Tag extends ElementType = 'div'>(props: StackProps<Tag>): ReactElement;
export function Stack({ as: Element = 'div', gap, align, className, style, ...rest }: StackProps) {
  return (
    <Element {...rest} className={cx(s.stack, className)} style={{ gap: rem(gap), justifyItems: align, ...style }} />
  );
}

export interface ColumnsProps {
  /** `start` where each is as high as what is in it; by itself both are as high as the higher one. */
  align?: 'start' | undefined;
  children: ReactNode;
}

/** Cards in two columns, the first a little wider; under each other below 1024 px. */
export function Columns({ align, children }: ColumnsProps) {
  return (
    <div className={s.columns} style={{ alignItems: align }}>
      {children}
    </div>
  );
}
