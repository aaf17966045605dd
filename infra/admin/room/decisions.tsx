import { Loaded, type LoadedQuery, useTabChoice } from '@cord/sdk';
import { Card, EmptyState, Row, SkeletonRegion, Stack } from '@cord/ui';
import { type ReactNode, useState } from 'react';
import type { useActWrite } from './act-write';
import { ConfirmPanel, type ConfirmPanelProps } from './confirm-panel';
import s from './decisions.module.css';
import shared from './list.module.css';
import { Foot, type Pages, usePages } from './pager';
import { StateChips } from './state-chips';

interface DecisionsProps<T> {
  /** Texts of the view. */
  texts: Readonly<Record<'title' | 'about' | 'list' | 'failed' | 'next', string>>;
  /** Selects the listed state, if there are several. */
  states?: ReactNode;
  query: LoadedQuery<T> & { isPlaceholderData: boolean };
  pages: Pages;
  /** The order of the list, as text. */
  order: string;
  /** Renders the list. */
  children: (data: T) => ReactNode;
}

/** The listed state: the first one unless the URL names another. Each state has its own pages. */
export function useStates<S extends string>(
  of: readonly [S, ...S[]],
  texts: Readonly<Record<`states.${S}` | 'states', string>>,
) {
  const [state, onChange] = useTabChoice('state', of);
  return {
    state,
    pages: usePages(state),
    states: <StateChips label={texts.states} value={state} {...{ of, texts, onChange }} />,
  };
}

/** A view with a list to decide on, in pages. */
export function Decisions<T extends { nextCursor: string | null }>(props: DecisionsProps<T>) {
  const { texts, states, query, pages, order, children } = props;
  const loading = <SkeletonRegion className={shared.loading} heights={[72, 72]} />;
  return (
    <Stack gap={16}>
      <Row as="header" gap="4px 16px" align="center" between wrap>
        <h1 className="t-h1">{texts.title}</h1>
      </Row>
      <p className={s.about}>{texts.about}</p>
      <Card className={shared.card} padding="none" aria-label={texts.list}>
        {states && <div className={shared.controls}>{states}</div>}
        <Loaded query={query} failed={texts.failed} loading={loading}>
          {(data) => (
            <div className="l-renewed" aria-busy={query.isPlaceholderData}>
              {children(data)}
            </div>
          )}
        </Loaded>
        <Foot pages={pages} nextCursor={query.data?.nextCursor} next={texts.next}>
          {order}
        </Foot>
      </Card>
    </Stack>
  );
}

/** A decision about an item of a list. */
export interface Decision<D extends string> {
  id: string;
  decision: D;
  reason: string;
  /** The text of the panel's own field, if it has one. */
  typed: string;
}

interface DecisionListProps<T, D extends string> {
  listed: readonly T[];
  idOf: (one: T) => string;
  /** The kind of the items, in the characters of an id: `hold`. */
  about: string;
  sending: ReturnType<typeof useActWrite<Decision<D>, unknown>>;
  /** Texts of the view. */
  texts: Readonly<Record<D | `note.${D}` | 'deciding' | 'actFailed', string>>;
  /** Title and text of an empty list. */
  empty?: readonly [title: string, text: string] | undefined;
  panelOf: (one: T, decision: D) => Pick<ConfirmPanelProps, 'title' | 'changes' | 'danger' | 'reason' | 'field'>;
  /** Renders the row of an item. @param waits a decision is open; only one can be open */
  children: (one: T, waits: boolean, choose: (decision: D) => void) => ReactNode;
  /** Rows after them that need no decision. */
  after?: ReactNode;
}

/** The items to decide; the chosen one has its panel below its row. */
export function DecisionList<T, D extends string>(props: DecisionListProps<T, D>) {
  const { listed, idOf, about, sending, texts, empty, panelOf, children, after } = props;
  const [chosen, setChosen] = useState<Omit<Decision<D>, 'reason' | 'typed'> | null>(null);
  if (empty && listed.length === 0) {
    const [title, text] = empty;
    return (
      <EmptyState title={title} level={2}>
        {text}
      </EmptyState>
    );
  }
  // If the chosen item has left the list, no decision is open.
  const waits = listed.some((one) => idOf(one) === chosen?.id);
  const close = () => setChosen(null);
  return (
    <ul className={s.rows}>
      {listed.map((one) => {
        const id = idOf(one);
        return (
          <Stack as="li" key={id} gap={12} data-testid={about}>
            {children(one, waits, (decision) => setChosen({ id, decision }))}
            {chosen?.id === id && (
              <ConfirmPanel
                about={`${about}-${id}`}
                {...panelOf(one, chosen.decision)}
                note={texts[`note.${chosen.decision}`]}
                confirmText={texts[chosen.decision]}
                busyText={texts.deciding}
                failedText={texts.actFailed}
                busy={sending.isPending}
                error={sending.error}
                onConfirm={(reason, typed) => sending.press({ ...chosen, reason, typed }, close)}
                onClose={close}
              />
            )}
          </Stack>
        );
      })}
      {after}
    </ul>
  );
}
