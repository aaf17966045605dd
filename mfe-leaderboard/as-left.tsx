import { PERIODS } from '@cord/contracts/rules/days';
import { useDraft, useMediaQuery, useSdk, useTabChoice, useTabParam, useTexts, withNodes } from '@cord/sdk';
import { Button, formatSpan } from '@cord/ui';
import { RotateCcw } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import s from './as-left.module.css';
import { TEXTS } from './texts';

/** For how long what was chosen is kept in this tab of the browser, ms (look-next.md, Around the pages). */
const KEPT_MS = 30 * 60_000;
/** Who comes back sooner to what is there anyway is told nothing, ms. */
const SOON_MS = 60_000;
/** How long it is said, ms. */
const SAID_MS = 6_000;

const NOTHING = { period: '', search: '', atMs: '' };
const [ALL_TIME] = PERIODS;

/**
 * Period and search as they were left: kept as a draft is, so that a sign-out takes them away; there again after a page that began without them. It is
 * said for a moment, over the page and without taking the focus.
 */
export function AsLeft() {
  const t = useTexts(TEXTS);
  const { clock, session } = useSdk();
  const [period, setPeriod] = useTabChoice('period', PERIODS);
  const [search, setSearch] = useTabParam('search');
  const { typed: left, type } = useDraft('rankings', NOTHING);
  const wide = useMediaQuery('(min-width: 768px)');
  const [awayMs, setAwayMs] = useState<number | null>(null);
  const bar = useRef<HTMLDivElement>(null);

  const onReturn = useEffectEvent(() => {
    const agoMs = clock.now() - Number(left.atMs);
    const before = PERIODS.find((each) => each === left.period);
    if (before === undefined || agoMs > KEPT_MS || (before === ALL_TIME && left.search === '')) return;
    const isNew = period === ALL_TIME && search === null;
    if (isNew) {
      setPeriod(before);
      setSearch(left.search || null);
    } else if (before !== period || left.search !== (search ?? '')) return;
    if (isNew || agoMs >= SOON_MS) setAwayMs(agoMs);
  });
  const onLeave = useEffectEvent(() => {
    // Whoever has signed out leaves nothing.
    if (session.state.get().user !== null) type({ period, search: search ?? '', atMs: String(clock.now()) });
  });
  useEffect(() => {
    onReturn();
    const leave = () => onLeave();
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      setAwayMs(null);
      leave();
    };
  }, []);
  useEffect(() => {
    if (awayMs === null) return;
    // Not from under the hand of who is about to press it.
    const timer = setInterval(() => bar.current?.contains(document.activeElement) || setAwayMs(null), SAID_MS);
    return () => clearInterval(timer);
  }, [awayMs]);

  const startOver = () => {
    setPeriod(ALL_TIME);
    setSearch(null);
    setAwayMs(null);
  };
  return (
    <div className={s.place} role="status">
      {awayMs !== null && (
        <div ref={bar} className={s.bar}>
          <RotateCcw size={16} aria-hidden="true" />
          <p className={s.words}>
            {withNodes(wide && awayMs >= SOON_MS ? t.asLeft : t.asLeftNow, {
              span: formatSpan(Math.floor(awayMs / SOON_MS) * SOON_MS),
              what: <What period={period} search={search} />,
            })}
          </p>
          <Button variant="ghost" size="sm" onClick={startOver}>
            {t.startOver}
          </Button>
        </div>
      )}
    </div>
  );
}

/** `Weekly, search ko` */
function What({ period, search }: { period: (typeof PERIODS)[number]; search: string | null }) {
  const t = useTexts(TEXTS);
  return (
    <>
      {period !== ALL_TIME && <strong>{t[`periods.${period}`]}</strong>}
      {period !== ALL_TIME && search !== null && ', '}
      {search !== null && withNodes(t.asLeftSearch, { term: <strong>{search}</strong> })}
    </>
  );
}
