import { useStore, type WritableStore } from '@cord/sdk';
import { Dialog, TabErrorPanel } from '@cord/ui';
import { type ComponentType, useEffect, useState } from 'react';
import { OverlayArea } from './area';
import { LaterBundle } from './later-bundle';

/** What every component over the page is given. */
export interface Overlay {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

interface LaterOverlayProps<P extends object> {
  /** Whether it is open. */
  opened: WritableStore<boolean>;
  /** Gives the component; the same function at each render. */
  load: () => Promise<ComponentType<P & Overlay>>;
  /** What those who are told of its faults call it. */
  part: string;
  /** What its user calls it. */
  name: string;
  /** What is said where its file does not come. */
  failedText: string;
  /** What the component is given besides. */
  with?: P;
}

/** What lies over the page and comes in a file of its own, from the first time it is asked for. */
export function LaterOverlay<P extends object>({
  opened,
  load,
  part,
  name,
  failedText,
  with: given,
}: LaterOverlayProps<P>) {
  const open = useStore(opened);
  const [asked, setAsked] = useState(open);
  useEffect(() => {
    if (open) setAsked(true);
  }, [open]);
  if (!asked) return null;
  return (
    <OverlayArea part={part} name={name} open={open} onOpenChange={opened.set}>
      <LaterBundle
        load={load}
        part={part}
        with={{ ...(given ?? ({} as P)), open, onOpenChange: opened.set }}
        whenFailed={(again) => (
          <Dialog open={open} onOpenChange={opened.set} title={name}>
            <TabErrorPanel compact title={failedText} {...again} />
          </Dialog>
        )}
      />
    </OverlayArea>
  );
}
