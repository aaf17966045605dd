import type { MiningSession } from '@cord/contracts/http/mining';
import type { User } from '@cord/contracts/http/users';
import { rateToNumber } from '@cord/contracts/rules/rate';
import {
  formatWhen,
  useAction,
  useBalance,
  useMiningSession,
  useRuleBook,
  useSdk,
  useSessionValue,
  useStore,
  useTexts,
  useWrite,
} from '@cord/sdk';
import {
  Avatar,
  Badge,
  Button,
  CordDial,
  formatAge,
  formatCord,
  formatCount,
  formatMultiplier,
  formatRank,
  Stack,
} from '@cord/ui';
import { Dialog } from '@cord/ui/overlays';
import { useRef, useState } from 'react';
import { useShell } from '../app/shell-context';
import { Place } from '../parts/place';
import { readLastSeen } from '../session/last-seen';
import { useGlobalStats } from '../session/public-facts';
import type { Welcome } from '../session/startup';
import { FactRows } from './fact-rows';
import { WELCOME_TEXTS } from './texts';
import s from './welcome-popup.module.css';

/** The popup after a sign-in, for new and returning users; real amounts only. */
export function WelcomePopup() {
  const t = useTexts(WELCOME_TEXTS);
  const { startup } = useShell();
  const startNode = useAction('welcome.start');
  const facts = useStore(startup.welcome);
  const user = useSessionValue(({ user }) => user);
  const node = useMiningSession();
  const start = useWrite(() => startNode(), {
    key: ['welcome', 'start', user?.id],
    onDone: (started) => started && startup.acknowledgeWelcome(),
    toast: { failed: () => ({ kind: 'error', title: t.startFailed, text: t.startFailedText }) },
  });
  const base = rateToNumber(BigInt(useRuleBook().baseNano));
  const first = useRef<HTMLButtonElement>(null);
  if (facts === null || user === null) return null;

  const close = startup.acknowledgeWelcome;
  const runs = node?.status === 'active';
  const { isNewUser } = facts;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      title={isNewUser ? t.newTitle({ name: user.username }) : t.backTitle({ name: user.username })}
      titleHidden
      lead={<Badge tone={isNewUser ? 'accent' : 'plain'}>{isNewUser ? t.newBadge : t.backBadge}</Badge>}
      initialFocus={first}
      width={400}
      testId="welcome-popup"
    >
      <Stack gap={12} align="center">
        <CordDial
          state={isNewUser ? 'starting' : runs ? 'running' : node?.status === 'paused' ? 'paused' : 'idle'}
          earned={node?.earnings ?? 0}
          rate={node?.rate ?? user.rate ?? 1}
          adds={{ base, age: base * (user.multiplier - 1) }}
          size={148}
        >
          <Avatar name={user.username} src={user.avatar} size={64} />
        </CordDial>
        {isNewUser ? <NewcomerFacts user={user} facts={facts} /> : <ReturningFacts user={user} node={node} />}
        <div className={s.actions}>
          {runs ? (
            <Button ref={first} variant="primary" size="lg" block onClick={close}>
              {t.toDashboard}
            </Button>
          ) : (
            <Button
              ref={first}
              variant="primary"
              size="lg"
              block
              loading={start.isPending}
              loadingText={t.starting}
              needsServer
              onClick={() => start.press(null)}
            >
              {t.start}
            </Button>
          )}
          {!isNewUser && <Place name="welcome.actions" />}
          {!runs && (
            <Button variant="ghost" block onClick={close}>
              {t.lookAround}
            </Button>
          )}
        </div>
      </Stack>
    </Dialog>
  );
}

/** Facts for a new user: reasons of the rate, and the credited amounts. */
function NewcomerFacts({ user, facts }: { user: User; facts: Welcome }) {
  const t = useTexts(WELCOME_TEXTS);
  const bonus = facts.referralBonus ?? 0;
  const invited = user.referred_by !== null || bonus > 0;
  const amount = (cord: number) => (facts.pending && cord === 0 ? t.onItsWay : formatCord(cord));
  return (
    <>
      <h2 className={s.title}>{t.newTitle({ name: user.username })}</h2>
      <p className={s.text}>
        {t.newText({ age: formatAge(user.account_age), multiplier: formatMultiplier(user.multiplier) })}
      </p>
      <FactRows
        rows={[
          { label: t.welcomeCredit, value: amount(facts.credited) },
          ...(invited
            ? [
                {
                  label: user.referred_by === null ? t.invited : t.invitedBy({ referrer: user.referred_by }),
                  value: facts.referralBonus === null ? t.onItsWay : amount(bonus),
                },
              ]
            : []),
        ]}
        total={{ label: t.added, value: formatCord(facts.credited + bonus), unit: 'CORD' }}
      />
    </>
  );
}

/** Facts for a returning user: earnings of the node, and rank. */
function ReturningFacts({ user, node }: { user: User; node: MiningSession | null | undefined }) {
  const t = useTexts(WELCOME_TEXTS);
  const { clock } = useSdk();
  const { micro } = useBalance();
  const [before] = useState(() => readLastSeen(user.id));
  // A device that has not seen this account cannot know what was earned meanwhile.
  const earned = before === null || micro === null || micro < before.micro ? null : micro - before.micro;
  const miners = useGlobalStats().data?.totalMiners;
  const rank = formatRank(user.rank);
  return (
    <>
      <h2 className={s.title}>{t.backTitle({ name: user.username })}</h2>
      <p className={s.text}>{nodeSentence(node, clock.now())}</p>
      <FactRows
        rows={[
          earned === null
            ? { label: t.today, value: formatCord(user.daily_earnings) }
            : { label: t.away, value: formatCord(earned) },
          {
            label: t.rank,
            value: user.rank === null || miners === undefined ? rank : t.rankOf({ rank, miners: formatCount(miners) }),
          },
        ]}
        total={{ label: t.balance, value: formatCord(micro), unit: 'CORD' }}
      />
    </>
  );
}

function nodeSentence(node: MiningSession | null | undefined, nowMs: number): string {
  const t = WELCOME_TEXTS.get();
  if (node?.status === 'active') return t.nodeRuns;
  if (node?.status === 'paused') return t.nodePaused({ time: formatWhen(Date.parse(node.creditedUntil), nowMs) });
  return node === undefined ? '' : t.nodeIdle;
}
