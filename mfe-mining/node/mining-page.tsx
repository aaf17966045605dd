import { Part, useSdk, useTexts } from '@cord/sdk';
import { Columns, PageHead, Stack } from '@cord/ui';
import { SystemStatus } from '../network/system-status';
import { useNamedRate } from '../rate/use-rate';
import { WhyCard } from '../rate/why-card';
import { TEXTS } from '../texts';
import s from './mining-page.module.css';
import { NodeAnnouncer } from './node-announcer';
import { NodeFacts } from './node-facts';
import { NodePanel } from './node-panel';
import { useNode } from './use-node';

export function MiningPage() {
  const t = useTexts(TEXTS);
  const node = useNode();
  const rate = useNamedRate();
  return (
    <Stack gap="var(--gap)">
      <PageHead title={t.title} className={s.head}>
        {t.subtitle}
      </PageHead>
      <NodeAnnouncer node={node} />
      <NodePanel node={node} rate={rate} />
      <PauseWarning />
      <NodeFacts node={node} />
      <Columns>
        <WhyCard rate={rate} />
        <SystemStatus node={node} />
      </Columns>
    </Stack>
  );
}

const WARNING = 'shell/pause-warning';

/** The shell's switch for the notice before a pause; earlier shells have none. */
function PauseWarning() {
  const { parts } = useSdk();
  return parts.releaseOf(WARNING) === null ? null : <Part name={WARNING} />;
}
