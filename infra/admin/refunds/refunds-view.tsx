import { useTexts, useToasts } from '@cord/sdk';
import { Button, formatSol } from '@cord/ui';
import { DecisionList, Decisions, useStates } from '../room/decisions';
import s from '../room/decisions.module.css';
import { useMoments } from '../room/moments';
import { accountHref, shortId } from '../room/short-id';
import { textOr } from '../room/texts';
import { TEXTS } from './texts';
import { useTransactionField } from './transaction-field';
import { type Refund, STATES, useNote, useRefunds } from './use-refunds';

/** Manual refunds: the amount owed to each wallet, and the transaction that returned it (services/rewards/README.md#refunds). */
export default function RefundsView() {
  const t = useTexts(TEXTS);
  const { state, states, pages } = useStates(STATES, t);
  const refunds = useRefunds(state, pages.cursor);
  return (
    <Decisions texts={t} {...{ states, pages }} query={refunds} order={t.order}>
      {({ refunds: listed }) => <Listed key={state} {...{ state, listed }} />}
    </Decisions>
  );
}

interface ListedProps {
  state: Refund['status'];
  listed: readonly Refund[];
}

function Listed({ state, listed }: ListedProps) {
  const t = useTexts(TEXTS);
  const { show } = useToasts();
  const field = useTransactionField();
  const sending = useNote(() => show({ kind: 'success', title: t.done }));
  return (
    <DecisionList
      about="refund"
      idOf={({ id }) => id}
      panelOf={({ lamports, walletAddress }, _decision: 'return') => ({
        title: t['act.return']({ amount: formatSol(lamports) }),
        changes: [{ what: t.to, after: walletAddress }],
        reason: null,
        field,
      })}
      texts={t}
      empty={state === 'open' ? [t.emptyTitle, t.emptyText] : [t.noneTitle, t.noneText]}
      {...{ listed, sending }}
    >
      {(refund, waits, onChoose) => <RefundRow {...{ refund, waits, onChoose }} />}
    </DecisionList>
  );
}

interface RefundRowProps {
  refund: Refund;
  /** Another transaction is about to be entered. */
  waits: boolean;
  onChoose: (decision: 'return') => void;
}

function RefundRow({ refund, waits, onChoose }: RefundRowProps) {
  const t = useTexts(TEXTS);
  const { minute } = useMoments();
  const { userId, lamports, reason, at, transactionHash, walletAddress, proof, disproved } = refund;
  const amount = formatSol(lamports);
  const by = { id: shortId(refund.returnTransaction ?? ''), time: minute(refund.returnedAt ?? at) };
  const facts = [
    t.recorded({ time: minute(at) }),
    t.payment({ id: shortId(transactionHash) }),
    ...(proof === 'noted' ? [t.noted(by)] : []),
    ...(proof === 'proven' ? [t.returned(by)] : []),
  ];
  return (
    <div className={s.row}>
      <div className="l-narrow t-break">
        <h2 className="t-strong">
          {userId === null ? t.deleted : <a href={accountHref(userId)}>{t.account({ id: shortId(userId) })}</a>}
        </h2>
        <p>{textOr(t, `why.${reason}`, reason)}</p>
        <p>{t.wallet({ address: walletAddress })}</p>
        <p className="t-note" data-number>
          {facts.join(' · ')}
        </p>
        {disproved && proof === 'open' && <p>{t.disproved({ id: shortId(disproved.transaction) })}</p>}
      </div>
      <p className={s.kept} data-number>
        {amount}
      </p>
      {proof === 'open' && (
        <Button
          size="sm"
          variant="secondary"
          needsServer
          disabled={waits}
          aria-label={t.returnNamed({ id: shortId(userId ?? walletAddress), amount })}
          onClick={() => onChoose('return')}
        >
          {t.return}
        </Button>
      )}
    </div>
  );
}
