import { useTabChoice, useTabParam, useTexts } from '@cord/sdk';
import { Card, ChipGroup, Input, Row, Stack } from '@cord/ui';
import { useRef } from 'react';
import { KEYS, useKeys } from '../room/keys';
import { SearchBox } from '../room/search-box';
import s from './audit.module.css';
import { TEXTS } from './texts';
import { Trail } from './trail';
import { GROUP_NAMES, useOperators } from './use-trail';

const ANYBODY = '';

/** The audit log: `?tab=admin&view=audit`. The filter is kept in the URL. */
export default function AuditView() {
  const t = useTexts(TEXTS);
  const [group, setGroup] = useTabChoice('acts', GROUP_NAMES);
  const [by, setBy] = useTabParam('by');
  const [on, setOn] = useTabParam('on');
  const [from, setFrom] = useTabParam('from');
  const [to, setTo] = useTabParam('to');
  const operators = useOperators().data?.users ?? [];
  const box = useRef<HTMLInputElement>(null);
  useKeys({ [KEYS.search]: () => box.current?.focus() });
  return (
    <Stack gap={16}>
      <header className={s.head}>
        <h1 className="t-h1">{t.title}</h1>
        <SearchBox ref={box} label={t.search} term={on ?? ''} onTerm={setOn} />
      </header>
      <ChipGroup
        className={s.chips}
        label={t.groups}
        value={group}
        options={GROUP_NAMES.map((value) => ({ value, label: t[`group.${value}`] }))}
        onChange={setGroup}
      />
      <div className={s.filters}>
        <ChipGroup
          className={s.chips}
          label={t.who}
          value={by ?? ANYBODY}
          options={[
            { value: ANYBODY, label: t.anybody },
            ...operators.map(({ id, username }) => ({ value: id, label: username })),
          ]}
          onChange={(id) => setBy(id || null)}
        />
        <Row gap={12} wrap>
          <Input
            type="date"
            label={t.from}
            value={from ?? ''}
            onChange={(event) => setFrom(event.target.value || null)}
          />
          <Input type="date" label={t.to} value={to ?? ''} onChange={(event) => setTo(event.target.value || null)} />
        </Row>
      </div>
      <Card padding="none" className="l-clip" aria-label={t.list}>
        <Trail filter={{ group, by, on, from, to }} />
      </Card>
    </Stack>
  );
}
