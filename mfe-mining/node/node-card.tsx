import type { PartProps } from '@cord/sdk';
import { useTexts } from '@cord/sdk';
import { Card, Row, Stack } from '@cord/ui';
import { useNamedRate } from '../rate/use-rate';
import { TEXTS } from '../texts';
import { Lease } from './lease';
import { NodeAnnouncer } from './node-announcer';
import s from './node-card.module.css';
import { NodeDial, NodeState } from './node-dial';
import { NodeNumbers } from './node-numbers';
import { NodeToggle } from './node-toggle';
import { SaveLine } from './save-line';
import { useNode } from './use-node';

const DIAL_PX = 272;

/** The node on the dashboard: dial, rate, active time, efficiency, and one button. */
export function NodeCard(_props: PartProps) {
  const t = useTexts(TEXTS);
  const node = useNode();
  const rate = useNamedRate();
  return (
    <Card className={s.card}>
      <NodeAnnouncer node={node} />
      <div className="l-centre">
        <NodeDial node={node} rate={rate} size={DIAL_PX} look="card" />
      </div>
      <Stack gap={16} className={s.side}>
        <Row gap="4px 12px" align="center" wrap>
          <h2 className="t-h2">{t.cardTitle}</h2>
          <NodeState node={node} />
        </Row>
        <NodeNumbers node={node} rate={rate} look="card" />
        <Lease node={node} rate={rate} look="card" />
        <div className={s.actions}>
          <NodeToggle node={node} size="md" />
          <SaveLine node={node} brief />
        </div>
      </Stack>
    </Card>
  );
}
