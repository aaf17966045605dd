import { Button, formatSpan } from '@cord/ui';
import { RotateCcw } from 'lucide-react';
import { Fragment, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useDraft } from '../drafts';
import { useTexts, withNodes } from '../i18n';
import { DESK, useMediaQuery } from '../media-query';
import { useSdk } from '../sdk';
import type { useTabParam } from '../tabs';
import s from './as-left.module.css';
import { AS_LEFT_TEXTS } from './texts';

/** How long the choices are kept in this browser tab, ms. */
const KEPT_MS = 30 * 60_000;
/** Minimum absence before unchanged choices are announced, ms. */
const SOON_MS = 60_000;
/** How long the notice is shown, ms. */
const NOTICE_MS = 6_000;

const NOTHING: Record<string, string> = { atMs: '' };

export interface AsLeftProps {
  /** Name of the page, unique among the pages of all modules. */
  place: string;
  /** Kept values of the page's address by name, each as `useTabParam` returns it; the names are the same in every render. */
  kept: Readonly<Record<string, ReturnType<typeof useTabParam>>>;
  /** Texts of the current choices, without defaults. When none is left, no notice is shown. */
  chosen: readonly (string | false | null)[];
  /** Current search term. */
  search?: string | null;
  /** Called with the restored values. */
  onReturn?: (left: Readonly<Record<string, string>>) => void;
}

/**
 * Keeps the choices of a page as a draft, which sign-out deletes, and restores them when the page opens without any. A short
 * notice shows it over the page without taking focus. Render it before the page, within the page's scroll container.
 */
export function AsLeft({ place, kept, chosen, search = null, onReturn: onFound }: AsLeftProps) {
  const t = useTexts(AS_LEFT_TEXTS);
  const { clock, session } = useSdk();
  const { typed: left, type } = useDraft(`left.${place}`, NOTHING);
  const wide = useMediaQuery(DESK);
  const [awayMs, setAwayMs] = useState<number | null>(null);
  const bar = useRef<HTMLDivElement>(null);
  const values = Object.entries(kept);

  const onReturn = useEffectEvent(() => {
    const agoMs = clock.now() - Number(left.atMs);
    const wasChosen = values.some(([name]) => left[name]);
    if (!left.atMs || agoMs > KEPT_MS || !wasChosen) return;
    const isNew = values.every(([, [value]]) => value === null);
    if (isNew) {
      onFound?.(left);
      for (const [name, [, set]] of values) set(left[name] || null);
    } else if (values.some(([name, [value]]) => (value ?? '') !== (left[name] ?? ''))) return;
    if (isNew || agoMs >= SOON_MS) setAwayMs(agoMs);
  });
  const onLeave = useEffectEvent(() => {
    // Nothing is kept after sign-out.
    if (session.state.get().user === null) return;
    const now = values.map(([name, [value]]) => [name, value ?? '']);
    type({ ...Object.fromEntries(now), atMs: String(clock.now()) });
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
    // The notice stays while it has focus, since the user may be about to press its button.
    const timer = setInterval(() => bar.current?.contains(document.activeElement) || setAwayMs(null), NOTICE_MS);
    return () => clearInterval(timer);
  }, [awayMs]);

  const startOver = () => {
    for (const [, [, set]] of values) set(null);
    setAwayMs(null);
  };
  const parts = [
    ...chosen.flatMap((each) => (each ? [<strong key={each}>{each}</strong>] : [])),
    ...(search ? [<Fragment key="">{withNodes(t.search, { term: <strong>{search}</strong> })}</Fragment>] : []),
  ];
  return (
    <div className={s.place} role="status">
      {awayMs !== null && parts.length > 0 && (
        <div ref={bar} className={s.bar}>
          <RotateCcw size={16} />
          <p className="l-grow t-break">
            {withNodes(wide && awayMs >= SOON_MS ? t.asLeft : t.asLeftNow, {
              span: formatSpan(Math.floor(awayMs / SOON_MS) * SOON_MS),
              what: parts.flatMap((each, index) => (index === 0 ? [each] : [', ', each])),
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
