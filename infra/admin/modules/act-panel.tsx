import { useTexts, useToasts } from '@cord/sdk';
import { useState } from 'react';
import { type Change, ConfirmPanel } from '../room/confirm-panel';
import { moduleOf, nowOf, shareOf } from './journal-lines';
import { TEXTS } from './texts';
import { type Act, actText, CANARY_SHARE, type Published, useAct } from './use-modules';

interface ActPanelProps {
  act: Act;
  /** The line that it is about; undefined for a switch. */
  line: Published | undefined;
  onDone: () => void;
  onClose: () => void;
}

/**
 * What an act changes, and why it is done: it is in the audit log, and in the journal of the module. It is about what stood there as the
 * panel opened: where something else has come meanwhile nothing is done.
 */
export function ActPanel({ act, line, onDone, onClose }: ActPanelProps) {
  const t = useTexts(TEXTS);
  const [seen] = useState(line);
  const { show } = useToasts();
  const { press, isPending, error } = useAct(() => {
    show({ kind: 'success', title: t.done });
    onDone();
  });
  const name = moduleOf(act.name);
  const title = t[`act.${act.act}`]({ name });
  return (
    <ConfirmPanel
      about={actText(act)}
      title={title}
      changes={useChanges(act, seen)}
      note={t[`effect.${act.act}`]}
      confirmText={title}
      busyText={t.sending}
      danger={act.act === 'off'}
      busy={isPending}
      error={error}
      failedText={t.actFailed}
      onConfirm={(reason) => press({ act, reason, seq: seen ? nowOf(seen).seq : 0 })}
      onClose={onClose}
    />
  );
}

/** Before and after, as far as the act has them. */
function useChanges(act: Act, seen: Published | undefined): Change[] {
  const t = useTexts(TEXTS);
  if (!('version' in act) || seen === undefined) return [];
  const { version: inUse, canary } = nowOf(seen);
  const canaryNow = canary ? t.canaryOf({ version: canary.version, share: shareOf(canary.share) }) : t.noCanary;
  const version = act.version ?? inUse;
  switch (act.act) {
    case 'rollback':
      return [{ what: t.inUse, before: inUse, after: version }];
    case 'promote':
      return [{ what: t.inUse, before: inUse, after: canary?.version ?? inUse }];
    case 'canary':
      return [{ what: t.canaryIs, before: canaryNow, after: t.canaryOf({ version, share: shareOf(CANARY_SHARE) }) }];
    case 'end-canary':
      return [{ what: t.canaryIs, before: canaryNow, after: t.noCanary }];
    case 'freeze':
      return [{ what: t.publishes, before: t.taken, after: t.notTaken }];
    case 'unfreeze':
      return [{ what: t.publishes, before: t.notTaken, after: t.taken }];
  }
}
