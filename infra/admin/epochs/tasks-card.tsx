import type { OperatorsTask } from '@cord/contracts/http/tasks';
import { checkinMostMicro, checkinReward, taskRewardMicro } from '@cord/contracts/rules/bonuses';
import { microToNumber, numberToMicro } from '@cord/contracts/rules/money';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { formatDayKey, Loaded, useRuleBook, useServerNow, useTexts } from '@cord/sdk';
import {
  Card,
  type Column,
  formatCord,
  formatCount,
  formatExact,
  formatMultiplier,
  formatPercent,
  IconButton,
  percentOf,
  Skeleton,
  Stack,
  Table,
  VisuallyHidden,
} from '@cord/ui';
import { Lock, Pencil } from 'lucide-react';
import { minuteOfYear } from '../room/moments';
import { textOr } from '../room/texts';
import { type ChosenProps, NEW } from './act';
import { ActPanel, DoneNotice, useActs } from './act-panel';
import s from './epochs.module.css';
import { taskChanges } from './task-changes';
import { NEW_TASK, TaskForm } from './task-form';
import { TEXTS } from './texts';
import { type TaskFields, useCatalogue, useTaskAct } from './use-epochs';

/** The task catalogue with recent claims, and above the table the form of the selected task. */
export function TasksCard({ chosen, onChoose }: ChosenProps) {
  const t = useTexts(TEXTS);
  const catalogue = useCatalogue();
  const { data } = catalogue;
  return (
    <Card
      title={t.tasks}
      aside={data && t.tasksAside({ count: formatCount(data.tasks.length), days: String(data.days) })}
      className="l-narrow"
      padding="none"
    >
      <Loaded query={catalogue} failed={t.tasksFailed} loading={<Skeleton height={360} />}>
        {(known) => <Catalogue catalogue={known} {...{ chosen, onChoose }} />}
      </Loaded>
    </Card>
  );
}

const idOf = ({ id }: TaskFields) => id;
const nameOf = ({ title }: TaskFields) => title;
type Shown = NonNullable<ReturnType<typeof useCatalogue>['data']>;

function Catalogue({ catalogue, chosen, onChoose }: ChosenProps & { catalogue: Shown }) {
  const t = useTexts(TEXTS);
  const acts = useActs<TaskFields>();
  const sending = useTaskAct((done) => {
    acts.finish(done);
    onChoose(null);
  });
  const { tasks, days, countedSince } = catalogue;
  const isNew = chosen === NEW;
  const one = isNew ? NEW_TASK : tasks.find(({ id, measure }) => id === chosen && measure !== CHECK_IN);
  const checkin = tasks.find(({ measure }) => measure === CHECK_IN);
  return (
    <>
      {(acts.done || acts.act || one) && (
        <Stack gap={16} className={s.above}>
          {acts.done && <DoneNotice done={acts.done} nameOf={nameOf} onUndo={acts.choose} onClose={acts.forget} />}
          {acts.act && (
            <ActPanel
              of="task"
              act={acts.act}
              changes={taskChanges(acts.act, t)}
              note={t.kept}
              onClose={acts.close}
              {...{ idOf, nameOf, sending }}
            />
          )}
          {one && (
            <TaskForm
              key={isNew ? NEW : one.id}
              task={one}
              isNew={isNew}
              days={days}
              waits={acts.act !== null}
              onAct={acts.choose}
              onDiscard={() => onChoose(null)}
            />
          )}
        </Stack>
      )}
      <Rows tasks={tasks} days={days} onEdit={onChoose} />
      <p className={s.foot}>
        {t.kept} {checkin && `${t.checkinNote({ task: checkin.id })} `}
        {countedSince === null ? t.notCounted : t.countedSince({ day: formatDayKey(countedSince) })}
      </p>
    </>
  );
}

/** The id of the check-in. Its reward follows its own rule and is not changed here. */
const CHECK_IN = 'check-in';
/** Tiers for which rewards are shown: the first, one in the middle, the last. */
const SHOWN_TIERS = [1, 3.5, 10] as const;

interface RowsProps {
  tasks: readonly OperatorsTask[];
  days: number;
  onEdit: (id: string) => void;
}

function Rows({ tasks, days, onEdit }: RowsProps) {
  const t = useTexts(TEXTS);
  const range = streakRange(useRuleBook());
  const nowMs = useServerNow();
  const paidInAll = tasks.reduce((sum, { claims }) => sum + claims.paid, 0);
  const ofDays = { days: String(days) };
  const isFixed = ({ measure }: OperatorsTask) => measure === CHECK_IN;
  const columns: Column<OperatorsTask>[] = [
    {
      key: 'task',
      head: t.task,
      names: true,
      cell: ({ id, expiresAt }) => (
        <>
          {id}
          {expiresAt !== null && (
            <small className={s.ends}>
              {(Date.parse(expiresAt) <= nowMs ? t.endedAt : t.endsAt)({
                time: minuteOfYear(expiresAt),
              })}
            </small>
          )}
        </>
      ),
    },
    { key: 'kind', head: t.kind, from: 768, cell: ({ type }) => textOr(t, `kind.${type}`, type) },
    {
      key: 'base',
      head: t.base,
      align: 'right',
      cell: (task) =>
        isFixed(task) ? t.streakBase({ reward: whole(task.reward) }) : <strong>{whole(task.reward)}</strong>,
    },
    ...SHOWN_TIERS.map((multiplier) => ({
      key: `at ${multiplier}`,
      head: t.atTier({ multiplier: formatMultiplier(multiplier) }),
      align: 'right' as const,
      from: 1024 as const,
      cell: (task: OperatorsTask) =>
        isFixed(task) ? t.streakRange(range) : formatCord(rewardAt(task.reward, multiplier)),
    })),
    {
      key: 'claims',
      head: t.claims(ofDays),
      align: 'right',
      from: 768,
      cell: ({ claims }) => formatCount(claims.count),
    },
    {
      key: 'paid',
      head: t.paid(ofDays),
      align: 'right',
      cell: ({ claims }) => formatCord(claims.paid, { decimals: 0 }),
    },
    {
      key: 'share',
      head: t.share,
      align: 'right',
      from: 1024,
      cell: ({ claims }) => formatPercent(percentOf(claims.paid, paidInAll)),
    },
    {
      key: 'edit',
      head: <VisuallyHidden>{t.edit}</VisuallyHidden>,
      align: 'right',
      cell: (task) =>
        isFixed(task) ? (
          <Lock size={16} className={s.locked} role="img" aria-label={t.fixed} />
        ) : (
          <IconButton
            label={t.editTask({ task: task.id })}
            icon={<Pencil size={16} />}
            size={32}
            onClick={() => onEdit(task.id)}
          />
        ),
    },
  ];
  return <Table dense className={s.table} caption={t.tasks} columns={columns} rows={tasks} rowKey={({ id }) => id} />;
}

/** The reward of a check-in on the first day and at the full bonus. */
function streakRange(book: RuleBook) {
  const { rewardMicro, bonusMicro } = checkinReward(book, 1);
  return { from: formatExact(rewardMicro + bonusMicro, 6), to: formatExact(checkinMostMicro(book), 6) };
}

/** An amount with decimals only if it has some. */
function whole(cord: number): string {
  return formatCord(cord, { decimals: Number.isInteger(cord) ? 0 : 2 });
}

function rewardAt(reward: number, multiplier: number): number {
  return microToNumber(taskRewardMicro(numberToMicro(reward), BigInt(Math.round(multiplier * 100))));
}
