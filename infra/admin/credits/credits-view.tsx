import * as at from '@cord/contracts/addresses/operations';
import type { ResponseOf } from '@cord/contracts/calls';
import { useTexts, useToasts } from '@cord/sdk';
import { Button, Notice } from '@cord/ui';
import { useActWrite } from '../room/act-write';
import { exactCord } from '../room/amounts';
import { type Decision, DecisionList, Decisions } from '../room/decisions';
import s from '../room/decisions.module.css';
import shared from '../room/list.module.css';
import { useMoments } from '../room/moments';
import { usePages } from '../room/pager';
import { listPage, OPERATORS, orGone, useRead } from '../room/reads';
import { accountHref, shortId } from '../room/short-id';
import { TEXTS } from './texts';

type Listing = ResponseOf<typeof at.parkedCredits>;
type Credit = Listing['credits'][number];

/** Credits that the ledger has refused for good. An operator can retry them (services/kit/README.md#outbox). */
export default function CreditsView() {
  const t = useTexts(TEXTS);
  const pages = usePages();
  const credits = useCredits(pages.cursor);
  return (
    <Decisions texts={t} pages={pages} query={credits} order={t.order}>
      {(listing) => <Listed {...listing} />}
    </Decisions>
  );
}

function Listed({ credits, missing }: Listing) {
  const t = useTexts(TEXTS);
  const sending = useRetry(credits);
  return (
    <>
      {missing.length > 0 && (
        <div className={shared.controls}>
          <Notice look="inline" tone="warn" title={t.missing({ services: missing.join(', ') })} />
        </div>
      )}
      <DecisionList
        about="credit"
        idOf={({ key }) => key}
        panelOf={({ amount, key }, _decision: 'retry') => ({
          title: t['act.retry']({ amount: exactCord(amount) }),
          changes: [{ what: t.key, after: key }],
          reason: null,
        })}
        texts={t}
        // A service that did not respond may have refused credits.
        empty={missing.length > 0 ? undefined : [t.emptyTitle, t.emptyText]}
        listed={credits}
        sending={sending}
      >
        {(credit, waits, onChoose) => <CreditRow {...{ credit, waits, onChoose }} />}
      </DecisionList>
    </>
  );
}

interface CreditRowProps {
  credit: Credit;
  /** Another credit is about to be retried. */
  waits: boolean;
  onChoose: (decision: 'retry') => void;
}

function CreditRow({ credit, waits, onChoose }: CreditRowProps) {
  const t = useTexts(TEXTS);
  const { minute } = useMoments();
  const { userId, amount, refusal, message, parkedAt, service, key } = credit;
  const shown = exactCord(amount);
  const id = shortId(userId);
  return (
    <div className={s.row}>
      <div className="l-narrow t-break">
        <h2 className="t-strong">
          <a href={accountHref(userId)}>{t.account({ id })}</a>
        </h2>
        <p>
          {refusal}: {message}
        </p>
        <p className="t-note" data-number>
          {[t.refused({ time: minute(parkedAt) }), service, key].join(' · ')}
        </p>
      </div>
      <p className={s.kept} data-number>
        {t.amount({ amount: shown })}
      </p>
      <Button
        size="sm"
        variant="secondary"
        needsServer
        disabled={waits}
        aria-label={t.retryNamed({ id, amount: shown })}
        onClick={() => onChoose('retry')}
      >
        {t.retry}
      </Button>
    </div>
  );
}

const LIST = [OPERATORS, 'credits'] as const;

/** Reads a page of the list, in the server's order. */
function useCredits(cursor: string | null) {
  return useRead(at.parkedCredits, listPage(LIST, cursor));
}

const TOASTS = { credited: 'success', pending: 'info', parked: 'warning' } as const;

/** Retries a listed credit. A credit that no longer exists also counts as done. */
function useRetry(listed: readonly Credit[]) {
  const t = useTexts(TEXTS);
  const { show } = useToasts();
  return useActWrite<Decision<'retry'>, ResponseOf<typeof at.retryParkedCredit> | null>(
    (api, { id }) => {
      const { service, key } = listed.find((credit) => credit.key === id) as Credit;
      return orGone(api.call(at.retryParkedCredit, { body: { service, key } }));
    },
    {
      key: [OPERATORS, 'retry-credit'],
      refresh: [LIST, [OPERATORS, 'overview']],
      onDone: (answer) =>
        show(
          answer
            ? { kind: TOASTS[answer.outcome], title: t[`done.${answer.outcome}`] }
            : { kind: 'info', title: t.gone },
        ),
    },
  );
}
