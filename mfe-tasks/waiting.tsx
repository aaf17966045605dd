import * as taskEndpoints from '@cord/contracts/addresses/tasks';
import { numberToMicro } from '@cord/contracts/rules/money';
import { isUnread, useQuery, useSdk, useSessionValue, useTexts, useUserId } from '@cord/sdk';
import { formatCord, LinkButton, Row } from '@cord/ui';
import { CheckinButton } from './checkin-button';
import { CHECKIN_TASK } from './task-view';
import { WAITING_TEXTS } from './texts';
import s from './waiting.module.css';

/** Open items after an absence: today's check-in, and claimable tasks. */
export function Waiting() {
  const t = useTexts(WAITING_TEXTS);
  const { go } = useSdk().tabs;
  const claimable = useClaimable();
  const open = useSessionValue(({ user }) => user?.daily_checkin_claimed === false);
  if (claimable === undefined) return null;
  return (
    <>
      {!open && claimable.count === 0 && (
        <Row as="p" align="center" className={s.nothing}>
          {t.nothing}
        </Row>
      )}
      <ul aria-label={t.waits}>
        {open && (
          <Row as="li" gap="8px 16px" align="center" between wrap className={s.row}>
            <span>{t.checkin}</span>
            <span className={s.action}>
              <CheckinButton />
            </span>
          </Row>
        )}
        {claimable.count > 0 && (
          <Row as="li" gap="8px 16px" align="center" between wrap className={s.row}>
            <span>{t.tasks({ count: claimable.count, amount: formatCord(claimable.micro) })}</span>
            <LinkButton onClick={() => go('tasks')}>{t.openTasks}</LinkButton>
          </Row>
        )}
      </ul>
    </>
  );
}

/** Returns the claimable tasks, without the check-in's mirror; undefined while unknown. Fetched again when the page gets focus. */
function useClaimable() {
  const { api } = useSdk();
  const userId = useUserId() ?? '';
  const read = useQuery({
    queryKey: ['away', userId, 'tasks'],
    queryFn: ({ signal }) => api.call(taskEndpoints.mine, { params: { id: userId }, signal }),
    staleTime: 0,
  });
  const { data } = read;
  if (data === undefined) return isUnread(read) ? { count: 0, micro: 0n } : undefined;
  const waiting = data.filter(({ claimable, completed, id }) => claimable && !completed && id !== CHECKIN_TASK);
  const micro = waiting.reduce((sum, { reward }) => sum + numberToMicro(reward), 0n);
  return { count: waiting.length, micro };
}
