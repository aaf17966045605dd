import { AreaBoundary, Lazy, useSessionValue, useTabChoice, useTexts } from '@cord/sdk';
import { EmptyState, formatCount, Skeleton, SkeletonRegion, TabErrorPanel, VisuallyHidden } from '@cord/ui';
import { useEffect, useRef, useState } from 'react';
import { useOverview } from '../overview/use-overview';
import { FIRST_KEY, KEYS } from './keys';
import { KeysList } from './keys-list';
import s from './room.module.css';
import { TEXTS } from './texts';
import { useKeys } from './use-keys';
import { VIEW_IDS, VIEWS, type ViewId } from './views';

/** The operators' room: its views at the left, one of them shown. Who may be here is decided by the services, call by call. */
export function Room() {
  const t = useTexts(TEXTS);
  const isAdmin = useSessionValue(({ user }) => user?.isAdmin === true);
  const [view, setView] = useTabChoice('view', VIEW_IDS);
  const [keysShown, showKeys] = useState(false);
  useKeys({
    ...Object.fromEntries(VIEW_IDS.map((id) => [`${FIRST_KEY} ${VIEWS[id].key}`, () => setView(id)])),
    [KEYS.all]: () => showKeys(true),
  });
  if (!isAdmin) return <EmptyState title={t.closedTitle}>{t.closedText}</EmptyState>;
  return (
    <div className={s.room}>
      <div className={s.side}>
        <ViewList view={view} onView={setView} />
        <KeysList shown={keysShown} onShow={showKeys} />
      </div>
      <div className={s.main} data-testid={`operators-${view}`}>
        <Shown key={view} view={view} />
      </div>
    </div>
  );
}

function ViewList({ view, onView }: { view: ViewId; onView: (view: ViewId) => void }) {
  const t = useTexts(TEXTS);
  const requests = useOverview().data?.requests ?? [];
  const waiting = requests.reduce((sum, { open }) => sum + open, 0);
  const list = useRef<HTMLUListElement>(null);
  const open = useRef<HTMLButtonElement>(null);
  // On a phone the list goes on sideways: what is open stands in its middle, whatever has led there, once the page is laid out.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each view that is opened, and each language
  useEffect(() => {
    const box = list.current;
    if (!box || typeof ResizeObserver === 'undefined') return;
    const laidOut = new ResizeObserver(() => {
      if (open.current) box.scrollLeft = open.current.offsetLeft - (box.clientWidth - open.current.offsetWidth) / 2;
    });
    laidOut.observe(box);
    return () => laidOut.disconnect();
  }, [view, t]);
  return (
    <nav aria-label={t.views}>
      <ul className={s.views} ref={list}>
        {VIEW_IDS.map((id) => {
          const { icon: Icon } = VIEWS[id];
          return (
            <li key={id}>
              <button
                ref={id === view ? open : undefined}
                type="button"
                className={s.view}
                aria-current={id === view ? 'page' : undefined}
                onClick={() => onView(id)}
              >
                <Icon size={18} aria-hidden="true" />
                {t[`view.${id}`]}
                {id === 'support' && waiting > 0 && (
                  <span className={s.count}>
                    <span aria-hidden="true">
                      {formatCount(waiting)}
                      {requests.some(({ more }) => more) && '+'}
                    </span>
                    <VisuallyHidden>{t.waiting({ count: waiting })}</VisuallyHidden>
                  </span>
                )}
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** One view. */
function Shown({ view }: { view: ViewId }) {
  const t = useTexts(TEXTS);
  const title = t.viewFailed({ view: t[`view.${view}`] });
  const place = { module: 'mfe_admin', part: `admin/${view}` };
  return (
    <AreaBoundary place={place} fallback={(again) => <TabErrorPanel title={title} {...again} />}>
      <Lazy of={VIEWS[view].file} {...place} loading={<Loading />} />
    </AreaBoundary>
  );
}

function Loading() {
  return (
    <SkeletonRegion className={s.loading}>
      <Skeleton height={38} />
      <Skeleton height={320} />
    </SkeletonRegion>
  );
}
