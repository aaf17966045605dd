import { Lazy, type LazyFile, useStore, type WritableStore } from '@cord/sdk';
import { TabErrorPanel } from '@cord/ui';
import { useEffect, useState } from 'react';
import { BrokenDialog, OverlayArea } from './area';

/** What every component over the page is given. */
export interface Overlay {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

interface LazyOverlayProps<P extends object> {
  /** Whether it is open. */
  opened: WritableStore<boolean>;
  of: LazyFile<P & Overlay>;
  /** Its name in reports of errors. */
  part: string;
  /** What its user calls it. */
  name: string;
  /** The text where its file does not come. */
  failedText: string;
  /** What the component is given besides. */
  props?: P;
}

/** What lies over the page and comes in a file of its own, from the first time it is requested. */
export function LazyOverlay<P extends object>({
  opened,
  of,
  part,
  name,
  failedText,
  props: given,
}: LazyOverlayProps<P>) {
  const open = useStore(opened);
  const [wanted, setWanted] = useState(open);
  useEffect(() => {
    if (open) setWanted(true);
  }, [open]);
  if (!wanted) return null;
  return (
    <OverlayArea part={part} name={name} open={open} onOpenChange={opened.set}>
      <Lazy
        of={of}
        part={part}
        props={{ ...(given ?? ({} as P)), open, onOpenChange: opened.set }}
        failed={(again) => (
          <BrokenDialog open={open} onOpenChange={opened.set} title={name}>
            <TabErrorPanel compact title={failedText} {...again} />
          </BrokenDialog>
        )}
      />
    </OverlayArea>
  );
}
