import type { UserNetwork } from '@cord/contracts/http/admin';
import { type TextsOf, useTexts, useToasts, useUserId } from '@cord/sdk';
import { Button, formatCount, formatMultiplier, Row } from '@cord/ui';
import { Network, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { changesOf, levelNameOf } from '../network/changes';
import { TEXTS as NETWORK_TEXTS } from '../network/texts';
import { useTransactionField } from '../refunds/transaction-field';
import { useChosen } from '../room/act-write';
import { exactChange } from '../room/amounts';
import { type Change, ConfirmPanel, type TypedField } from '../room/confirm-panel';
import { ButtonKey } from '../room/key';
import { KEYS, useKeys } from '../room/keys';
import { signedIntegerOf } from '../room/typed-numbers';
import { TEXTS } from './texts';
import { ACTS, type Act, useAct } from './use-users';
import type { Account } from './user-page';

/** The acts that are available for an account, and the chosen one. */
export interface Acts {
  account: Account;
  /** The address at which the account is counted; undefined while unknown or if there is none. */
  address: UserNetwork['addresses'][number] | undefined;
  offered: readonly Act[];
  /** Kept in the URL with the account, so that it is restored after a new sign-in and never for another account. */
  chosen: Act | null;
  choose(act: Act | null): void;
  /** The act has completed. */
  finish(act: Act): void;
}

export function useActs(account: Account, network: UserNetwork | undefined): Acts {
  const own = useUserId() === account.id;
  const param = useChosen('act');
  const paramOf = (act: Act) => `${act} ${account.id}`;
  const address = network?.addresses.find(({ counts }) => counts);
  const may: Record<Act, boolean> = {
    clear: network?.cleared === false && account.anticheat.penaltyLevel > 0,
    unclear: network?.cleared === true,
    share: address?.shared === false && address.users > 1,
    unshare: address?.shared === true,
    correct: !own,
    payment: true,
    end: !own,
    admin: account.isAdmin !== true,
    user: account.isAdmin === true && !own,
  };
  const offered = ACTS.filter((act) => may[act]);
  const chosen = offered.find((act) => paramOf(act) === param.chosen) ?? null;
  return {
    ...{ account, address, offered, chosen },
    choose: (act) => param.choose(act && paramOf(act)),
    finish: (act) => param.finish(paramOf(act)),
  };
}

const KEY_OF: Partial<Record<Act, string>> = {
  clear: KEYS.clear,
  unclear: KEYS.clear,
  share: KEYS.mark,
  unshare: KEYS.mark,
};
const ICON_OF: Partial<Record<Act, ReactNode>> = {
  clear: <ShieldCheck size={18} />,
  share: <Network size={18} />,
};

/** Buttons of the available acts. Each opens its panel first. */
export function ActButtons({ acts: { offered, choose } }: { acts: Acts }) {
  const t = useTexts(TEXTS);
  useKeys(Object.fromEntries(offered.flatMap((act) => (KEY_OF[act] ? [[KEY_OF[act], () => choose(act)]] : []))));
  return (
    <Row gap={8} wrap>
      {offered.map((act) => {
        const key = KEY_OF[act];
        return (
          <Button
            key={act}
            size="sm"
            variant={act === 'end' || act === 'user' ? 'outline' : 'secondary'}
            needsServer
            icon={ICON_OF[act]}
            trailingIcon={key && <ButtonKey of={key} />}
            aria-keyshortcuts={key}
            onClick={() => choose(act)}
          >
            {t[`act.${act}`]}
          </Button>
        );
      })}
    </Row>
  );
}

/** Shows what the chosen act changes and requires a reason. */
export function ActPanel({ acts }: { acts: Acts }) {
  return acts.chosen === null ? null : <ChosenAct key={acts.chosen} acts={acts} act={acts.chosen} />;
}

function ChosenAct({ acts, act }: { acts: Acts; act: Act }) {
  const t = useTexts(TEXTS);
  const network = useTexts(NETWORK_TEXTS);
  const transaction = useTransactionField();
  const { show } = useToasts();
  const { account, address, choose, finish } = acts;
  const { press, isPending, error } = useAct(account.id, act, (ended) => {
    const title =
      act === 'correct' || act === 'payment' ? t[`did.${act}`] : ended === null ? t.did : t.done({ count: ended });
    show({ kind: 'success', title });
    finish(act);
  });
  const lifts = act === 'clear' || act === 'share';
  return (
    <ConfirmPanel
      about={`${act}-${account.id}`}
      title={t[`act.${act}`]}
      changes={
        lifts ? changesOf(network, account, act === 'share' ? address : undefined) : changesBy(t, network, acts, act)
      }
      note={noteOf(t, act)}
      confirmText={t[`do.${act}`]}
      busyText={t.doing}
      danger={act === 'end' || act === 'user'}
      field={fieldOf(t, transaction, act)}
      busy={isPending}
      error={error}
      failedText={t.notDone}
      onClose={() => choose(null)}
      onConfirm={(reason, typed) =>
        press({ reason, address: address?.key ?? '', amount: amountOf(typed), transaction: typed.trim() })
      }
    />
  );
}

/** Maximum of one correction, CORD. */
const CORRECTION_MAX = 1_000_000;

const MICRO_PLACES = 6;

/** Parses typed CORD, with a point or a comma; NaN if it is not a number. */
function amountOf(typed: string): number {
  return (signedIntegerOf(typed, MICRO_PLACES) ?? Number.NaN) / 1e6;
}

/** The field that an act needs besides its reason. */
function fieldOf(t: TextsOf<typeof TEXTS>, transaction: TypedField, act: Act): TypedField | undefined {
  if (act === 'payment') return transaction;
  if (act !== 'correct') return undefined;
  return {
    label: t.amountIn,
    help: t.amountHelp,
    error: (typed) => amountError(t, typed),
    change: (typed) => ({ what: t.amountChange, after: amountText(t, typed) }),
  };
}

/** The parsed amount as text: `+1,000.00 CORD`. */
function amountText(t: TextsOf<typeof TEXTS>, typed: string): string {
  const micro = signedIntegerOf(typed, MICRO_PLACES) ?? 0;
  return t.amountAs({ amount: exactChange(BigInt(micro)) });
}

function amountError(t: TextsOf<typeof TEXTS>, typed: string): string | undefined {
  const amount = Math.abs(amountOf(typed));
  return amount > 0 && amount <= CORRECTION_MAX ? undefined : t.amountRange({ most: formatCount(CORRECTION_MAX) });
}

/** A note to read before the act. */
function noteOf(t: TextsOf<typeof TEXTS>, act: Act): string | undefined {
  if (act === 'end') return t.endNote;
  if (act === 'clear') return t.clearNote;
  if (act === 'correct' || act === 'payment') return t[`note.${act}`];
  return act === 'admin' || act === 'user' ? t.roleNote : undefined;
}

/** The changes of acts that do not lift a penalty. */
function changesBy(
  t: TextsOf<typeof TEXTS>,
  network: TextsOf<typeof NETWORK_TEXTS>,
  { account }: Acts,
  act: Act,
): Change[] {
  const factor = formatMultiplier(account.anticheat.efficiencyMultiplier);
  switch (act) {
    case 'unclear':
      return [
        {
          what: t.levelNow,
          before: network.levelAt({ level: levelNameOf(network, account.anticheat), factor }),
          after: t.levelBy,
        },
      ];
    case 'unshare':
      return [{ what: t.addressIs, before: t.sharedNow, after: t.countedAgain }];
    case 'end':
      return [{ what: t.sessions, after: t.allEnded }];
    case 'admin':
      return [{ what: t.role, before: t.user, after: t.operator }];
    case 'user':
      return [{ what: t.role, before: t.operator, after: t.user }];
    default:
      return [];
  }
}
