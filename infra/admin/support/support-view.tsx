import { useTabChoice, useTabParam, useTabView, useTexts } from '@cord/sdk';
import { AsLeft } from '@cord/sdk/views';
import { Card, cx, Row, Stack } from '@cord/ui';
import { useRef } from 'react';
import { KEYS } from '../room/keys';
import { usePages } from '../room/pager';
import { SearchBox } from '../room/search-box';
import { useKeys } from '../room/use-keys';
import { Case } from './case';
import { CaseList } from './case-list';
import s from './support.module.css';
import { TEXTS } from './texts';
import { KINDS, STATES, useCases } from './use-support';

/** The queue, and the case that is open: `?tab=admin&view=support&case=ID`. */
export default function SupportView() {
  const t = useTexts(TEXTS);
  const [kind, setKind] = useTabChoice('kind', KINDS);
  const [status, setStatus] = useTabChoice('state', STATES);
  const [param, setSearch] = useTabParam('search');
  const search = param ?? '';
  const view = useTabView('case');
  const pages = usePages(`${kind} ${status} ${search}`);
  const cases = useCases({ kind, status, search, cursor: pages.cursor });
  const box = useRef<HTMLInputElement>(null);
  const byItself = useRef(false);
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
    <>
      <CasesLeft onCase={() => (byItself.current = true)} />
      <Stack gap={16}>
        <Row as="header" gap="4px 16px" align="center" between wrap>
          <h1 className="t-h1">{t.title}</h1>
          <SearchBox ref={box} label={t.search} term={search} onTerm={setSearch} />
        </Row>
        <Stack gap={16} className={cx(s.columns, view.value !== null && s.opened)}>
          <CaseList
            cases={cases}
            {...{ kind, status, search, view }}
            onKind={setKind}
            onStatus={setStatus}
            pages={pages}
          />
          {view.value === null ? (
            <Card look="flat" className="l-from1024 c-2">
              {t.choose}
            </Card>
          ) : (
            <Case key={view.value} id={view.value} onBack={view.close} byItself={byItself} />
          )}
        </Stack>
      </Stack>
    </>
  );
}

/** Kind, state, search and the open case, as they were left. */
function CasesLeft({ onCase }: { onCase: () => void }) {
  const t = useTexts(TEXTS);
  const [kind] = useTabChoice('kind', KINDS);
  const [status] = useTabChoice('state', STATES);
  const kept = {
    kind: useTabParam('kind'),
    state: useTabParam('state'),
    search: useTabParam('search'),
    case: useTabParam('case'),
  };
  const [search] = kept.search;
  const [open] = kept.case;
  return (
    <AsLeft
      place="support"
      kept={kept}
      chosen={[
        kind !== KINDS[0] && t[`kinds.${kind}`],
        status !== STATES[0] && t[`states.${status}`],
        open !== null && t.leftCase({ number: open.slice(0, 4) }),
      ]}
      search={search}
      onReturn={(left) => left.case && onCase()}
    />
  );
}
