import * as at from '@cord/contracts/addresses/referrals';
import type { Hold } from '@cord/contracts/http/referrals';
import { useTabChoice, useTexts, useToasts } from '@cord/sdk';
import { Button, formatCord, formatSpan, Row } from '@cord/ui';
import { useActWrite } from '../room/act-write';
import { type Decision, DecisionList, Decisions } from '../room/decisions';
import s from '../room/decisions.module.css';
import { useMoments } from '../room/moments';
import { usePages } from '../room/pager';
import { lookEvery, OPERATORS, pageFrom, useRead } from '../room/reads';
import { StateChips } from '../room/state-chips';
import { TEXTS } from './texts';

/** What the network check keeps back of commission and the 86 CORD, to be paid or refused (services/contracts/rules/README.md#commission-and-referral-bonuses). */
export default function HoldsView() {
  const t = useTexts(TEXTS);
  const [state, setState] = useTabChoice('state', STATES);
  const pages = usePages(state);
  const holds = useHolds(state, pages.cursor);
  return (
    <Decisions
      texts={t}
      pages={pages}
      states={<StateChips label={t.states} texts={t} of={STATES} value={state} onChange={setState} />}
      query={holds}
      order={state === 'held' ? t.order : t.orderDecided}
    >
      {({ holds: listed }) => <Listed key={state} {...{ state, listed }} busy={holds.isPlaceholderData} />}
    </Decisions>
  );
}

interface ListedProps {
  state: Hold['state'];
  listed: readonly Hold[];
  /** The page of another state is on its way. */
  busy: boolean;
}

function Listed({ state, listed, busy }: ListedProps) {
  const t = useTexts(TEXTS);
  const { show } = useToasts();
  const sending = useDecide(({ friend, referrer }, { decision }) =>
    show({ kind: 'success', title: t[`done.${decision}`]({ friend, referrer }) }),
  );
  return (
    <DecisionList
      about="hold"
      idOf={({ friendId }) => friendId}
      panelOf={(hold, decision: HoldDecision) => ({
        title: t[`act.${decision}`]({ friend: hold.friend }),
        changes: [{ what: t.state, before: t[`states.${hold.state}`], after: t[`states.${AFTER[decision]}`] }],
        danger: decision === 'refuse',
      })}
      texts={t}
      empty={state === 'held' ? [t.emptyTitle, t.emptyText] : [t.noneTitle, t.noneText]}
      {...{ listed, busy, sending }}
    >
      {(hold, waits, onChoose) => <HoldRow {...{ hold, waits, onChoose }} />}
    </DecisionList>
  );
}

/** How it stands after a decision. */
const AFTER = { release: 'released', refuse: 'refused', hold: 'held' } as const;

interface HoldRowProps {
  hold: Hold;
  /** A decision waits for its reason: one at a time. */
  waits: boolean;
  onChoose: (decision: HoldDecision) => void;
}

function HoldRow({ hold, waits, onChoose }: HoldRowProps) {
  const t = useTexts(TEXTS);
  const { minute } = useMoments();
  const { friend, referrer, state, since, bonus, commission, sharesAddress, level, friendRanMs, paid } = hold;
  const kept = [
    ...(bonus > 0 ? [t.bonus({ amount: formatCord(bonus, { decimals: 0 }) })] : []),
    ...(commission > 0 ? [t.commission({ amount: formatCord(commission) })] : []),
  ];
  const why = sharesAddress && level > 0 ? t.address({ level: String(level) }) : t.firstHour;
  const facts = [
    t[`since.${state}`]({ time: minute(since) }),
    ...(state === 'held' ? [why] : []),
    t.ran({ span: formatSpan(Math.floor(friendRanMs / MINUTE_MS) * MINUTE_MS) }),
    t.paid({ amount: formatCord(paid) }),
  ];
  const decisions = state === 'held' ? (['release', 'refuse'] as const) : (['hold'] as const);
  return (
    <div className={s.row}>
      <div className="l-narrow t-break">
        <h2 className="t-strong">{t.friendOf({ friend, referrer })}</h2>
        <p className="t-note" data-number>
          {facts.join(' · ')}
        </p>
      </div>
      <p className={s.kept} data-number>
        {state === 'held' && (kept.length > 0 ? kept : [t.nothingMore]).map((line) => <span key={line}>{line}</span>)}
      </p>
      <Row gap={8} wrap>
        {decisions.map((decision) => (
          <Button
            key={decision}
            size="sm"
            variant={decision === 'refuse' ? 'outline' : 'secondary'}
            needsServer
            disabled={waits}
            aria-label={t.decideNamed({ decision: t[decision], friend })}
            onClick={() => onChoose(decision)}
          >
            {t[decision]}
          </Button>
        ))}
      </Row>
    </div>
  );
}

const MINUTE_MS = 60_000;

const STATES = ['held', 'released', 'refused'] as const satisfies readonly Hold['state'][];

const LIST = [OPERATORS, 'holds'] as const;
const LIST_MS = 15_000;

/** A page of the list, as the server orders it. */
function useHolds(state: Hold['state'], cursor: string | null) {
  return useRead(at.holds, {
    key: [...LIST, state, cursor],
    query: { state, ...pageFrom(cursor) },
    keepPrevious: true,
    ...lookEvery(LIST_MS),
  });
}

type HoldDecision = 'release' | 'refuse' | 'hold';

/** Decides about what is held of a friend. */
function useDecide(onDone: (hold: Hold, decided: Decision<HoldDecision>) => void) {
  return useActWrite<Decision<HoldDecision>, Hold>(
    (api, { id, decision, reason }) =>
      api.call(at.decideHold, { params: { friendId: id }, body: { decision, reason } }),
    { key: [OPERATORS, 'decide-hold'], refresh: [LIST], onDone },
  );
}
