import { useTexts } from '@cord/sdk';
import { Dialog } from '@cord/ui/overlays';
import { type RefObject, useRef } from 'react';
import type { Overlay } from '../app/lazy-overlay';
import { BELL_TEXTS } from './bell-texts';
import { firstIn, InboxHead, InboxList } from './inbox-list';
import { useInbox } from './use-inbox';

/** The notices of the user, under the bell; a sheet on phones. */
export function Inbox({ open, onOpenChange }: Overlay) {
  const t = useTexts(BELL_TEXTS);
  const inbox = useInbox();
  const list = useRef<HTMLDivElement>(null);
  const change = (next: boolean) => {
    onOpenChange(next);
    // Opening marks nothing as read, leaving does.
    if (!next) inbox.markRead();
  };
  const leave = () => change(false);
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      width={440}
      title={t.title}
      titleHidden
      lead={<InboxHead inbox={inbox} onLeave={leave} />}
      initialFocus={firstOf(list)}
      closeHidden
      testId="notices"
    >
      <InboxList ref={list} inbox={inbox} onLeave={leave} />
    </Dialog>
  );
}

/** What the keyboard begins with, at the moment that it is requested: the list itself keeps its place while nothing has come. */
function firstOf(list: RefObject<HTMLElement | null>): RefObject<HTMLElement | null> {
  return {
    get current() {
      return firstIn(list.current) ?? list.current;
    },
  };
}
