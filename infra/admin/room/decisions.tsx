import { Loaded, type LoadedQuery } from '@cord/sdk';
import { Card, ChipGroup, Row, Skeleton, SkeletonRegion, Stack } from '@cord/ui';
import type { ReactNode } from 'react';
import s from './decisions.module.css';
import shared from './list.module.css';
import { Foot, type Pages } from './pager';

interface DecisionsProps<S extends string, T> {
  /** Texts of the view. */
  texts: Readonly<Record<'title' | 'about' | 'list' | 'states' | 'failed' | 'next', string>>;
  /** The states that may be listed, with their names. */
  states: readonly { value: S; label: string }[];
  state: S;
  onState: (state: S) => void;
  query: LoadedQuery<T>;
  pages: Pages;
  /** In which order the list stands. */
  order: string;
  /** What is listed. */
  children: (data: T) => ReactNode;
}

/** A view of what operators decide: a list by state, page by page. */
export function Decisions<S extends string, T extends { nextCursor: string | null }>(props: DecisionsProps<S, T>) {
  const { texts, states, state, onState, query, pages, order, children } = props;
  const loading = (
    <SkeletonRegion className={shared.loading}>
      <Skeleton height={72} />
      <Skeleton height={72} />
    </SkeletonRegion>
  );
  return (
    <Stack gap={16}>
      <Row as="header" gap="4px 16px" align="center" between wrap>
        <h1 className="t-h1">{texts.title}</h1>
      </Row>
      <p className={s.about}>{texts.about}</p>
      <Card className={shared.card} padding="none" aria-label={texts.list}>
        <div className={shared.controls}>
          <ChipGroup label={texts.states} value={state} options={states} onChange={onState} />
        </div>
        <Loaded query={query} failed={texts.failed} loading={loading}>
          {children}
        </Loaded>
        <Foot pages={pages} nextCursor={query.data?.nextCursor} next={texts.next}>
          {order}
        </Foot>
      </Card>
    </Stack>
  );
}
