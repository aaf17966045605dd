import type { Correction } from '@cord/contracts/http/corrections';
import { useTexts, useToasts, useUserId } from '@cord/sdk';
import { Button, Row } from '@cord/ui';
import { exactChange } from '../room/amounts';
import { DecisionList, Decisions, useStates } from '../room/decisions';
import s from '../room/decisions.module.css';
import { useMoments } from '../room/moments';
import { accountHref, shortId } from '../room/short-id';
import { TEXTS } from './texts';
import { type CorrectionDecision, STATES, useCorrections, useDecide } from './use-corrections';

/** Corrections of balances: a second operator confirms a proposal here, or it is withdrawn. */
export default function CorrectionsView() {
  const t = useTexts(TEXTS);
  const { state, states, pages } = useStates(STATES, t);
  const corrections = useCorrections(state, pages.cursor);
  return (
    <Decisions texts={t} {...{ states, pages }} query={corrections} order={t.order}>
      {({ corrections: listed }) => <Listed key={state} {...{ state, listed }} />}
    </Decisions>
  );
}

interface ListedProps {
  state: Correction['state'];
  listed: readonly Correction[];
}

function Listed({ state, listed }: ListedProps) {
  const t = useTexts(TEXTS);
  const { show } = useToasts();
  const sending = useDecide((_, { decision }) => show({ kind: 'success', title: t[`done.${decision}`] }));
  return (
    <DecisionList
      about="correction"
      idOf={({ id }) => id}
      panelOf={(one, decision: CorrectionDecision) => ({
        title: t[`act.${decision}`]({ amount: exactChange(one.amount) }),
        changes: [{ what: t.state, before: t[`states.${one.state}`], after: t[`states.${AFTER[decision]}`] }],
        danger: decision === 'confirm' && one.amount < 0,
      })}
      texts={t}
      empty={state === 'open' ? [t.emptyTitle, t.emptyText] : [t.noneTitle, t.noneText]}
      {...{ listed, sending }}
    >
      {(correction, waits, onChoose) => <CorrectionRow {...{ correction, waits, onChoose }} />}
    </DecisionList>
  );
}

/** The state after each decision. */
const AFTER = { confirm: 'confirmed', withdraw: 'withdrawn' } as const;

interface CorrectionRowProps {
  correction: Correction;
  /** A decision is open and needs its reason; only one can be open. */
  waits: boolean;
  onChoose: (decision: CorrectionDecision) => void;
}

function CorrectionRow({ correction, waits, onChoose }: CorrectionRowProps) {
  const t = useTexts(TEXTS);
  const { minute } = useMoments();
  const own = useUserId();
  const { userId, amount, reason, state, proposedBy, proposedAt, decidedBy, decidedAt, booked } = correction;
  const proposed = { time: minute(proposedAt), id: shortId(proposedBy) };
  const decided = { time: minute(decidedAt ?? proposedAt), id: shortId(decidedBy ?? '') };
  const shown = exactChange(amount);
  const nameOf = (decision: CorrectionDecision) =>
    t.decideNamed({ decision: t[decision], id: shortId(userId), amount: shown });
  const facts = [
    proposedBy === own ? t.proposedByYou(proposed) : t.proposedBy(proposed),
    ...(state === 'confirmed' ? [t.confirmedBy(decided), ...(booked ? [] : [t.notBooked])] : []),
    ...(state === 'withdrawn' ? [decidedBy === null ? t.withdrawnAlone : t.withdrawnBy(decided)] : []),
  ];
  return (
    <div className={s.row}>
      <div className="l-narrow t-break">
        <h2 className="t-strong">
          <a href={accountHref(userId)}>{t.account({ id: shortId(userId) })}</a>
        </h2>
        <p>{reason}</p>
        <p className="t-note" data-number>
          {facts.join(' · ')}
        </p>
      </div>
      <p className={s.kept} data-number>
        {t.amount({ amount: shown })}
      </p>
      <Row gap={8} wrap>
        {state === 'open' && (
          <Button
            size="sm"
            variant="secondary"
            needsServer
            disabled={waits || proposedBy === own}
            disabledReason={proposedBy === own ? t.secondOperator : undefined}
            aria-label={nameOf('confirm')}
            onClick={() => onChoose('confirm')}
          >
            {t.confirm}
          </Button>
        )}
        {(state === 'open' || (state === 'confirmed' && !booked)) && (
          <Button
            size="sm"
            variant="outline"
            needsServer
            disabled={waits}
            aria-label={nameOf('withdraw')}
            onClick={() => onChoose('withdraw')}
          >
            {t.withdraw}
          </Button>
        )}
      </Row>
    </div>
  );
}
