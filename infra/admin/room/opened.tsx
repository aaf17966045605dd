import { Loaded, type LoadedQuery, type TabView } from '@cord/sdk';
import { Button, Card, cx, EmptyState, SkeletonRegion } from '@cord/ui';
import { ArrowLeft } from 'lucide-react';
import { type MouseEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import s from './opened.module.css';

interface OpenedProps<T> {
  /** The opened item; null if it no longer exists. */
  query: LoadedQuery<T | null>;
  /** The texts of its view. */
  texts: { backTo: string; failed: string; goneTitle: string; goneText: string };
  onBack: () => void;
  backClassName?: string | undefined;
  testId: string;
  /** It was restored and not opened by the user: then the focus does not move, once. */
  byItself?: RefObject<boolean> | undefined;
  children: (data: T) => ReactNode;
}

/** An item opened from a list, with a back link and the focus at its start: loading, failed, deleted or loaded. */
export function Opened<T>({ query, texts, onBack, backClassName, testId, byItself, children }: OpenedProps<T>) {
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (byItself?.current) byItself.current = false;
    else top.current?.focus({ preventScroll: true });
  }, [byItself]);
  return (
    <div className={s.opened} ref={top} tabIndex={-1} data-testid={testId}>
      <Button variant="ghost" size="sm" className={cx(s.back, backClassName)} icon={<ArrowLeft />} onClick={onBack}>
        {texts.backTo}
      </Button>
      <Loaded query={query} failed={texts.failed} compact={false} loading={<SkeletonRegion heights={[420]} />}>
        {(data) =>
          data === null ? (
            <Card>
              <EmptyState title={texts.goneTitle} level={2}>
                {texts.goneText}
              </EmptyState>
            </Card>
          ) : (
            children(data)
          )
        }
      </Loaded>
    </div>
  );
}

/** Props of a link that opens an item within the page; with a modifier key the browser handles it. */
export function linkTo(view: TabView, id: string) {
  return {
    href: view.hrefOf(id),
    onClick(event: MouseEvent) {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      view.open(id);
    },
  };
}
