import { Card } from '@cord/ui';
import { useNamedRate } from '../rate/use-rate';
import { Lease } from './lease';
import { useNode } from './use-node';

/** The lease alone, as the page shows it. */
export function LeaseStage({ look = 'page' }: { look?: 'page' | 'card' }) {
  const node = useNode();
  const rate = useNamedRate();
  return (
    <Card>
      <Lease node={node} rate={rate} look={look} />
    </Card>
  );
}
