import { useTabChoice, useTabParam, useTabView, useTexts } from '@cord/sdk';
import { Card, cx, Input } from '@cord/ui';
import { Search } from 'lucide-react';
import { type Ref, useEffect, useEffectEvent, useRef, useState } from 'react';
import { KEYS } from '../room/keys';
import { useKeys } from '../room/use-keys';
import { Case } from './case';
import { CaseList } from './case-list';
import s from './support.module.css';
import { TEXTS } from './texts';
import { KINDS, STATES, useCases } from './use-support';

const TYPING_PAUSE_MS = 300;

/** The queue, and the case that is open: `?tab=admin&view=support&case=ID` (look-next.md, Operators' room). */
export default function SupportView() {
  const t = useTexts(TEXTS);
  const [kind, setKind] = useTabChoice('kind', KINDS);
  const [status, setStatus] = useTabChoice('state', STATES);
  const [param, setSearch] = useTabParam('search');
  const search = param ?? '';
  const view = useTabView('case');
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cases = useCases({ kind, status, search, cursor: cursors.at(-1) ?? null });
  const box = useRef<HTMLInputElement>(null);
  const from = (change: () => void) => {
    setCursors([]);
    change();
  };
  const step = (by: 1 | -1) => {
    const ids = cases.data?.requests.map(({ id }) => id) ?? [];
    const next = ids[Math.min(ids.length - 1, Math.max(0, view.value === null ? 0 : ids.indexOf(view.value) + by))];
    if (next !== undefined) view.open(next);
  };
  useKeys({
    [KEYS.search]: () => box.current?.focus(),
    [KEYS.next]: () => step(1),
    [KEYS.previous]: () => step(-1),
    [KEYS.close]: () => view.value !== null && view.close(),
  });
  return (
    <div className={s.view}>
      <header className={s.head}>
        <h1 className="t-h1">{t.title}</h1>
        <SearchBox ref={box} term={search} onTerm={(term) => from(() => setSearch(term))} />
      </header>
      <div className={cx(s.columns, view.value !== null && s.opened)}>
        <CaseList
          cases={cases}
          {...{ kind, status, search, view }}
          onKind={(next) => from(() => setKind(next))}
          onStatus={(next) => from(() => setStatus(next))}
          onNext={(cursor) => setCursors([...cursors, cursor])}
          onFirst={cursors.length > 0 ? () => setCursors([]) : null}
        />
        {view.value === null ? (
          <Card look="flat" className={s.choose}>
            {t.choose}
          </Card>
        ) : (
          <Case key={view.value} id={view.value} onBack={view.close} />
        )}
      </div>
    </div>
  );
}

interface SearchBoxProps {
  ref: Ref<HTMLInputElement>;
  term: string;
  onTerm: (term: string | null) => void;
}

/** What is searched for stands in the address once the typing pauses. */
function SearchBox({ ref, term, onTerm }: SearchBoxProps) {
  const t = useTexts(TEXTS);
  const [typed, setTyped] = useState(term);
  const tell = useEffectEvent(() => onTerm(typed.trim() || null));
  useEffect(() => {
    if (typed.trim() === term) return;
    const timer = setTimeout(() => tell(), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, term]);
  return (
    <Input
      ref={ref}
      className={s.search}
      type="search"
      label={t.search}
      labelHidden
      placeholder={t.search}
      icon={<Search size={18} aria-hidden="true" />}
      maxLength={64}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}
