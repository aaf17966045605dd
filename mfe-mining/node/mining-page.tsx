import { Part, useSdk, useTexts } from '@cord/sdk';
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
    <div className={s.page}>
      <header>
        <h1 className="t-h1">{t.title}</h1>
        <p className={s.subtitle}>{t.subtitle}</p>
      </header>
      <NodeAnnouncer node={node} />
      <NodePanel node={node} rate={rate} />
      <PauseWarning />
      <NodeFacts node={node} />
      <div className={s.pair}>
        <WhyCard rate={rate} />
        <SystemStatus node={node} />
      </div>
    </div>
  );
}

const WARNING = 'shell/pause-warning';

/** The shell's switch for the word before a pause; earlier shells have none. */
function PauseWarning() {
  const { parts } = useSdk();
  return parts.releaseOf(WARNING) === null ? null : <Part name={WARNING} />;
}
