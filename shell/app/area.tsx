import { AreaBoundary, useSdk, useTexts } from '@cord/sdk';
import { Card, TabErrorPanel, useOverlays } from '@cord/ui';
import type { ReactNode } from 'react';
import { APP_TEXTS } from './texts';

interface AreaProps {
  /** What those who are told of its faults call it: `dashboard`, `settings/security`. */
  part: string;
  /** What the user calls it. */
  name: string;
  children: ReactNode;
}

/** A page, or a card of one: what throws in it says so in its own place, and its neighbours stand. */
export function Area({
  part,
  name,
  card = false,
  onFailed,
  children,
}: AreaProps & { card?: boolean; onFailed?: () => void }) {
  const { report } = useSdk();
  return (
    <AreaBoundary
      onError={(error) => {
        report(error, { part });
        onFailed?.();
      }}
      fallback={(_error, retry, again) => {
        const broken = <Broken compact={card} name={name} retry={retry} again={again} />;
        return card ? <Card>{broken}</Card> : broken;
      }}
    >
      {children}
    </AreaBoundary>
  );
}

interface OverlayAreaProps extends AreaProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** A dialog or sheet: what throws in it says so in a dialog of its own, while it is to be open. */
export function OverlayArea({ part, name, open, onOpenChange, children }: OverlayAreaProps) {
  return (
    <AreaBoundary
      place={{ part }}
      fallback={(_error, retry, again) => (
        <BrokenDialog open={open} onOpenChange={onOpenChange} title={name}>
          <Broken compact name={name} retry={retry} again={again} />
        </BrokenDialog>
      )}
    >
      {children}
    </AreaBoundary>
  );
}

/** A dialog in the place of one that failed; where no dialog can be loaded, it closes, and the strip under the header shows why. */
export function BrokenDialog({
  open,
  onOpenChange,
  ...content
}: Pick<OverlayAreaProps, 'open' | 'onOpenChange' | 'children'> & { title: string }) {
  const Dialog = useOverlays(open, () => onOpenChange(false))?.Dialog;
  return Dialog === undefined ? null : <Dialog open={open} onOpenChange={onOpenChange} {...content} />;
}

/** What has no place of its own on the page: its fault is told of and shows nothing. */
export function QuietArea({ part, children }: Omit<AreaProps, 'name'>) {
  return (
    <AreaBoundary place={{ part }} fallback={() => null}>
      {children}
    </AreaBoundary>
  );
}

interface BrokenProps {
  name: string;
  compact: boolean;
  retry: () => void;
  /** It failed once more after a retry. */
  again: boolean;
}

/** What failed, what is safe, and the way on: once more, and after that the whole page anew. */
export function Broken({ name, compact, retry, again }: BrokenProps) {
  const t = useTexts(APP_TEXTS);
  return (
    <TabErrorPanel compact={compact} title={t.broken({ name })} onRetry={retry} reload={again}>
      {t.safe}
    </TabErrorPanel>
  );
}
