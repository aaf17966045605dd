import { useTabParam, useTexts } from '@cord/sdk';
import { Button, cx } from '@cord/ui';
import { Plus } from 'lucide-react';
import v from '../room/view.module.css';
import { NEW } from './act';
import s from './epochs.module.css';
import { EpochsCard } from './epochs-card';
import { TasksCard } from './tasks-card';
import { TEXTS } from './texts';

/** The epoch table and the catalogue of tasks: `?tab=admin&view=epochs&epoch=ID&task=ID`. */
export default function EpochsView() {
  const t = useTexts(TEXTS);
  const [epoch, setEpoch] = useTabParam('epoch');
  const [task, setTask] = useTabParam('task');
  return (
    <div className={v.view}>
      <header className={v.head}>
        <h1 className="t-h1">{t.title}</h1>
        <div className={s.buttons}>
          <Button size="sm" icon={<Plus aria-hidden="true" />} onClick={() => setTask(NEW)}>
            {t.newTask}
          </Button>
          <Button size="sm" icon={<Plus aria-hidden="true" />} onClick={() => setEpoch(NEW)}>
            {t.newEpoch}
          </Button>
        </div>
      </header>
      <div className={cx(v.view, s.cards)}>
        <EpochsCard chosen={epoch} onChoose={setEpoch} />
        <TasksCard chosen={task} onChoose={setTask} />
      </div>
    </div>
  );
}
