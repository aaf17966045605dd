import { useTabParam, useTexts } from '@cord/sdk';
import { Button, Row, Stack } from '@cord/ui';
import { Plus } from 'lucide-react';
import { NEW } from './act';
import { EpochsCard } from './epochs-card';
import { TasksCard } from './tasks-card';
import { TEXTS } from './texts';

/** The epoch table and the catalogue of tasks: `?tab=admin&view=epochs&epoch=ID&task=ID`. */
export default function EpochsView() {
  const t = useTexts(TEXTS);
  const [epoch, setEpoch] = useTabParam('epoch');
  const [task, setTask] = useTabParam('task');
  return (
    <Stack gap={16}>
      <Row as="header" gap="4px 16px" align="center" between wrap>
        <h1 className="t-h1">{t.title}</h1>
        <Row gap={8} align="center" wrap>
          <Button size="sm" icon={<Plus />} onClick={() => setTask(NEW)}>
            {t.newTask}
          </Button>
          <Button size="sm" icon={<Plus />} onClick={() => setEpoch(NEW)}>
            {t.newEpoch}
          </Button>
        </Row>
      </Row>
      <Stack gap={16} className="l-narrow">
        <EpochsCard chosen={epoch} onChoose={setEpoch} />
        <TasksCard chosen={task} onChoose={setTask} />
      </Stack>
    </Stack>
  );
}
