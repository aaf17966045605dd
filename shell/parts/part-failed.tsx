import { type Again, useTexts } from '@cord/sdk';
import type { PartName } from '@cord/sdk/host';
import { Card, TabErrorPanel } from '@cord/ui';
import type { PartEntry } from '../federation/entries';
import { useTextOf } from '../tabs/tab-list';
import { TAB_TEXTS } from '../tabs/texts';
import { LookAgainCard } from './look-again-card';
import { hasCard, usePartEntry } from './use-part-entry';

/**
 * A part that could not be loaded or threw: its own place shows it, the rest of the page goes on. Those without a card of their own stand in a
 * line with others, over a page or nowhere: without them the page is whole, so their failure shows nothing.
 */
export function PartFailed({ name, ...again }: { name: PartName } & Again) {
  const part = usePartEntry(name);
  if (part?.room === 'row') return <Failed words={part.words} {...again} />;
  if (part === undefined || !hasCard(part)) return null;
  return (
    <Card>
      <Failed words={part.words} {...again} />
    </Card>
  );
}

/** A part whose module is switched off: a place with a card shows it, the others are empty. */
export function PartOff({ name }: { name: PartName }) {
  const part = usePartEntry(name);
  return part && hasCard(part) ? <OffCard words={part.words} /> : null;
}

function OffCard({ words }: Pick<PartEntry, 'words'>) {
  const t = useTexts(TAB_TEXTS);
  return <LookAgainCard title={t.off({ tab: useTextOf(words) })} />;
}

function Failed({ words, ...again }: Pick<PartEntry, 'words'> & Again) {
  const t = useTexts(TAB_TEXTS);
  return <TabErrorPanel compact title={t.failed({ tab: useTextOf(words) })} {...again} />;
}
