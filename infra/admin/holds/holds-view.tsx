import * as at from '@cord/contracts/addresses/referrals';
import type { Hold } from '@cord/contracts/http/referrals';
import { useTexts, useToasts } from '@cord/sdk';
import { Button, formatCord, Row } from '@cord/ui';
import { useActWrite } from '../room/act-write';
import { type Decision, DecisionList, Decisions, useStates } from '../room/decisions';
import s from '../room/decisions.module.css';
import { minutesText, useMoments } from '../room/moments';
import { listPage, OPERATORS, useRead } from '../room/reads';
import { TEXTS } from './texts';

/** Commission and 86 CORD bonuses that the network check holds, to be paid or refused (services/contracts/rules/README.md#commission-and-referral-bonuses). */
export default function HoldsView() {
  const t = useTexts(TEXTS);
  const { state, states, pages } = useStates(STATES, t);
  const holds = useHolds(state, pages.cursor);
  return (
    <Decisions texts={t} {...{ states, pages }} query={holds} order={state === 'held' ? t.order : t.orderDecided}>
      {({ holds: listed }) => <Listed key={state} {...{ state, listed }} />}
    </Decisions>
  );
}

interface ListedProps {
  state: Hold['state'];
  listed: readonly Hold[];
}

function Listed({ state, listed }: ListedProps) {
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
      {...{ listed, sending }}
    >
      {(hold, waits, onChoose) => <HoldRow {...{ hold, waits, onChoose }} />}
    </DecisionList>
  );
}

/** The state after each decision. */
const AFTER = { release: 'released', refuse: 'refused', hold: 'held' } as const;

interface HoldRowProps {
  hold: Hold;
  /** A decision is open and needs its reason; only one can be open. */
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
    t.ran({ span: minutesText(friendRanMs) }),
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

const STATES = ['held', 'released', 'refused'] as const satisfies readonly Hold['state'][];

const LIST = [OPERATORS, 'holds'] as const;

/** Reads a page of the list, in the server's order. */
function useHolds(state: Hold['state'], cursor: string | null) {
  return useRead(at.holds, listPage(LIST, cursor, { state }));
}

type HoldDecision = 'release' | 'refuse' | 'hold';

/** Decides a hold. */
function useDecide(onDone: (hold: Hold, decided: Decision<HoldDecision>) => void) {
  return useActWrite<Decision<HoldDecision>, Hold>(
    (api, { id, decision, reason }) =>
      api.call(at.decideHold, { params: { friendId: id }, body: { decision, reason } }),
    { key: [OPERATORS, 'decide-hold'], refresh: [LIST], onDone },
  );
}
