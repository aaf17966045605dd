import { Lazy, type LazyFile, useStore, type WritableStore } from '@cord/sdk';
import { TabErrorPanel } from '@cord/ui';
import { useEffect, useState } from 'react';
import { BrokenDialog, OverlayArea } from './area';

/** Props of every overlay. */
export interface Overlay {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

interface LazyOverlayProps<P extends object> {
  /** Whether it is open. */
  opened: WritableStore<boolean>;
  of: LazyFile<P & Overlay>;
  /** Name in error reports. */
  part: string;
  /** Name on the screen. */
  name: string;
  /** Text when its file does not load. */
  failedText: string;
  /** Further props of the component. */
  props?: P;
}

/** An overlay in its own file, loaded when it is first opened. */
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
