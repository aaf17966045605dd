import * as taskEndpoints from '@cord/contracts/addresses/tasks';
import { numberToMicro } from '@cord/contracts/rules/money';
import { Part, useQuery, useSdk, useSessionValue, useTabs, useTexts } from '@cord/sdk';
import { formatCord, LinkButton } from '@cord/ui';
import s from './away-card.module.css';
import { AWAY_TEXTS } from './texts';

/** What waits for somebody who is back: today's check-in, and tasks that can be claimed. */
export function Waiting({ userId }: { userId: string }) {
  const t = useTexts(AWAY_TEXTS);
  const { go } = useTabs();
  const claimable = useClaimable(userId);
  const open = useSessionValue(({ user }) => user?.daily_checkin_claimed === false);
  if (claimable === undefined) return <div className={s.waits} />;
  return (
    <div className={s.waits}>
      {!open && claimable.count === 0 && <p className={s.nothing}>{t.nothing}</p>}
      <ul aria-label={t.waits}>
        {open && (
          <li className={s.row}>
            <span>{t.checkin}</span>
            <span className={s.action}>
              <Part name="tasks/checkin-button" />
            </span>
          </li>
        )}
        {claimable.count > 0 && (
          <li className={s.row}>
            <span>{t.tasks({ count: claimable.count, amount: formatCord(claimable.micro) })}</span>
            <LinkButton onClick={() => go('tasks')}>{t.openTasks}</LinkButton>
          </li>
        )}
      </ul>
    </div>
  );
}

/** Tasks whose reward waits, without the check-in's mirror; undefined while it is not known. Looked at again whenever the page is. */
function useClaimable(userId: string) {
  const { api } = useSdk();
  const { data, isError } = useQuery({
    queryKey: ['away', userId, 'tasks'],
    queryFn: ({ signal }) => api.call(taskEndpoints.mine, { params: { id: userId }, signal }),
    staleTime: 0,
  });
  if (data === undefined) return isError ? { count: 0, micro: 0n } : undefined;
  const waiting = data.filter(({ claimable, completed, id }) => claimable && !completed && id !== CHECKIN_TASK);
  const micro = waiting.reduce((sum, { reward }) => sum + numberToMicro(reward), 0n);
  return { count: waiting.length, micro };
}

/** The task that mirrors the check-in and completes through it (services/contracts/rules/README.md#check-in). */
const CHECKIN_TASK = 'daily-checkin';
