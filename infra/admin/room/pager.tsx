import { useTexts } from '@cord/sdk';
import { Button } from '@cord/ui';
import { type ReactNode, useState } from 'react';
import s from './list.module.css';
import { TEXTS } from './texts';

/** The position in a list that is read in pages. */
export interface Pages {
  /** Null on the first page. */
  cursor: string | null;
  next(cursor: string): void;
  first(): void;
}

/** @param about identifies the list: another list starts at its first page */
export function usePages(about = ''): Pages {
  const [at, setAt] = useState<{ about: string; cursor: string | null }>({ about, cursor: null });
  const go = (cursor: string | null) => setAt({ about, cursor });
  return { cursor: at.about === about ? at.cursor : null, next: go, first: () => go(null) };
}

interface PagerProps {
  pages: Pages;
  /** Undefined while the page loads. */
  nextCursor: string | null | undefined;
  /** The text of the next button. */
  next: string;
}

/** Buttons to the next page of a list, and back to the first. */
export function Pager({ pages, nextCursor, next }: PagerProps) {
  const t = useTexts(TEXTS);
  return (
    <>
      {pages.cursor !== null && (
        <Button size="sm" variant="ghost" onClick={pages.first}>
          {t.first}
        </Button>
      )}
      {nextCursor != null && (
        <Button size="sm" needsServer onClick={() => pages.next(nextCursor)}>
          {next}
        </Button>
      )}
    </>
  );
}

/** Notes below a list, and its pager; nothing if both are empty. */
export function Foot({ children, ...pager }: PagerProps & { children?: ReactNode }) {
  if (children === undefined && pager.nextCursor === null && pager.pages.cursor === null) return null;
  return (
    <footer className={s.foot}>
      <span>{children}</span>
      <Pager {...pager} />
    </footer>
  );
}
