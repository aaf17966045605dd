import { type Again, AreaBoundary, useTexts } from '@cord/sdk';
import { Card, TabErrorPanel, useOverlays } from '@cord/ui';
import type { ReactNode } from 'react';
import { APP_TEXTS } from './texts';

interface AreaProps {
  /** Name in error reports: `dashboard`, `settings/security`. */
  part: string;
  /** Name on the screen. */
  name: string;
  children: ReactNode;
}

/** A page or a card; an error stays within it. */
export function Area({
  part,
  name,
  card = false,
  onFailed,
  children,
}: AreaProps & { card?: boolean; onFailed?: () => void }) {
  return (
    <AreaBoundary
      place={{ part }}
      onError={onFailed}
      fallback={(again) => {
        const broken = <Broken compact={card} name={name} {...again} />;
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

/** A dialog or sheet; an error is shown in its own dialog while it is open. */
export function OverlayArea({ part, name, open, onOpenChange, children }: OverlayAreaProps) {
  return (
    <AreaBoundary
      place={{ part }}
      fallback={(again) => (
        <BrokenDialog open={open} onOpenChange={onOpenChange} title={name}>
          <Broken compact name={name} {...again} />
        </BrokenDialog>
      )}
    >
      {children}
    </AreaBoundary>
  );
}

/** A dialog in place of a failed one. If no dialog can be loaded, it closes, and the strip under the header explains why. */
export function BrokenDialog({
  open,
  onOpenChange,
  ...content
}: Pick<OverlayAreaProps, 'open' | 'onOpenChange' | 'children'> & { title: string }) {
  const Dialog = useOverlays(open, () => onOpenChange(false))?.Dialog;
  return Dialog === undefined ? null : <Dialog open={open} onOpenChange={onOpenChange} {...content} />;
}

interface BrokenProps extends Again {
  name: string;
  compact: boolean;
}

/** Shows what failed, what is safe, and a retry; after a failed retry, a reload. */
export function Broken({ name, compact, ...again }: BrokenProps) {
  const t = useTexts(APP_TEXTS);
  return (
    <TabErrorPanel compact={compact} title={t.broken({ name })} {...again}>
      {t.safe}
    </TabErrorPanel>
  );
}
