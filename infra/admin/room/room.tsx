import { AreaBoundary, Lazy, useSessionValue, useTabChoice, useTexts } from '@cord/sdk';
import { EmptyState, formatCount, SkeletonRegion, Switch, TabErrorPanel, useOverlays, VisuallyHidden } from '@cord/ui';
import { useEffect, useRef, useState } from 'react';
import { useOverview } from '../overview/use-overview';
import { Key } from './key';
import { FIRST_KEY, KEYS, useKeys, useKeysOn } from './keys';
import s from './room.module.css';
import { TEXTS } from './texts';
import { VIEW_IDS, VIEWS, type ViewId } from './views';

/** The operators' room: the list of views at the left, and one view. The services check the rights of each call. */
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
  // On a phone the list scrolls sideways: after layout, the open view is scrolled to its middle.
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
  return <SkeletonRegion className={s.loading} heights={[38, 320]} />;
}

const FIRST = FIRST_KEY.toUpperCase();

/** The label of a key. */
const capOf = (key: keyof typeof KEYS) => (key === 'close' ? 'Esc' : KEYS[key].toUpperCase());

interface KeysListProps {
  shown: boolean;
  onShow: (shown: boolean) => void;
}

/** The keys of this room: the most used ones below the views, all of them in a dialog. */
function KeysList({ shown, onShow }: KeysListProps) {
  const t = useTexts(TEXTS);
  const [on, setOn] = useKeysOn();
  const Dialog = useOverlays(shown, () => onShow(false))?.Dialog;
  const views = VIEW_IDS.map((id) => ({ name: t[`view.${id}`], key: VIEWS[id].key.toUpperCase() }));
  const all = [
    ...views.map(({ name, key }) => ({ what: t.keyGoTo({ view: name }), keys: [FIRST, key] })),
    { what: t.keySearch, keys: [capOf('search')] },
    { what: t.keyNext, keys: [capOf('next'), capOf('previous')] },
    { what: t.keyTake, keys: [capOf('take')] },
    { what: t.keyAnswer, keys: [capOf('answer')] },
    { what: t.keyClear, keys: [capOf('clear')] },
    { what: t.keyMark, keys: [capOf('mark')] },
    { what: t.keyTable, keys: [capOf('table')] },
    { what: t.keyClose, keys: [capOf('close')] },
    { what: t.allKeys, keys: [capOf('all')] },
  ];
  return (
    <>
      <dl className={s.short}>
        <div>
          <dt>{t.goTo}</dt>
          <dd>
            <Key>{FIRST}</Key> {t.andThen}{' '}
            {views.slice(0, 3).map(({ key }) => (
              <Key key={key}>{key}</Key>
            ))}
          </dd>
        </div>
        <div>
          <dt>{t.keySearch}</dt>
          <dd>
            <Key>{capOf('search')}</Key>
          </dd>
        </div>
        <div>
          <dt>{t.keyNext}</dt>
          <dd>
            <Key>{capOf('next')}</Key>
            <Key>{capOf('previous')}</Key>
          </dd>
        </div>
        <div>
          <dt>
            <button type="button" className={s.all} onClick={() => onShow(true)}>
              {t.allKeys}
            </button>
          </dt>
          <dd>
            <Key>{capOf('all')}</Key>
          </dd>
        </div>
      </dl>
      {Dialog && (
        <Dialog open={shown} onOpenChange={onShow} title={t.keysTitle} description={t.keysText}>
          <dl className={s.list}>
            {all.map(({ what, keys }) => (
              <div key={what}>
                <dt>{what}</dt>
                <dd>
                  {keys.map((key) => (
                    <Key key={key}>{key}</Key>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
          <Switch checked={on} onChange={setOn} label={t.keysOn} help={t.keysHelp} />
        </Dialog>
      )}
    </>
  );
}
