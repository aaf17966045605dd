import { DESK, useMediaQuery, useTexts } from '@cord/sdk';
import { Button, Card, Row } from '@cord/ui';
import { Save } from 'lucide-react';
import { useState } from 'react';
import type { RateView } from '../rate/rate-view';
import { TEXTS } from '../texts';
import { Lease } from './lease';
import { NodeDial } from './node-dial';
import { NodeNumbers } from './node-numbers';
import s from './node-panel.module.css';
import { NodeToggle } from './node-toggle';
import { SaveLine } from './save-line';
import type { Node } from './use-node';

const DIAL_PX = 430;
const DIAL_PHONE_PX = 322;

/** The node: dial on one side, numbers and buttons on the other. */
export function NodePanel({ node, rate }: { node: Node; rate: RateView | null }) {
  const t = useTexts(TEXTS);
  const wide = useMediaQuery(DESK);
  return (
    <Card padding="none" className={s.panel}>
      <div className={s.dial}>
        <NodeDial node={node} rate={rate} size={wide ? DIAL_PX : DIAL_PHONE_PX} look="page" />
      </div>
      <div className={s.side}>
        <div>
          <NodeNumbers node={node} rate={rate} look="page" />
        </div>
        <Lease node={node} rate={rate} look="page" />
        <Row gap={8} wrap className={s.actions}>
          <NodeToggle node={node} size="lg" className={s.toggle} />
          <SaveButton node={node} />
          {node.phase === 'paused' && <p className={s.hint}>{t.startsNew}</p>}
        </Row>
        <SaveLine node={node} />
      </div>
    </Card>
  );
}

/** Manual save, while the node runs; without pending earnings a press sends nothing. */
function SaveButton({ node: { phase, save, controller } }: { node: Node }) {
  const t = useTexts(TEXTS);
  const [pressed, setPressed] = useState(false);
  if (phase !== 'running' && phase !== 'stopping') return null;
  const press = async () => {
    setPressed(true);
    await controller.saver.save();
    setPressed(false);
  };
  return (
    <Button
      variant="ghost"
      size="lg"
      icon={<Save />}
      loading={pressed && save.saving}
      loadingText={t.saving}
      disabled={phase === 'stopping'}
      disabledReason={t.stopping}
      needsServer
      onClick={() => void press()}
    >
      {t.saveNow}
    </Button>
  );
}
