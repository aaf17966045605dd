import { useTexts } from '@cord/sdk';
import { Dialog, IconButton, prefetchOverlays, VisuallyHidden } from '@cord/ui';
import { Bell as BellIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import s from './bell.module.css';
import { InboxHead, InboxList } from './inbox-list';
import { useOpenKey } from './open-key';
import { NOTICE_TEXTS } from './texts';
import { useInbox } from './use-inbox';

const MANY = 9;
/** New ones are spoken of so often at the most, ms. */
const SPEAK_EVERY_MS = 60_000;

/** The bell of the header with what is unread, and the list under it; a sheet on phones. */
export function Bell() {
  const t = useTexts(NOTICE_TEXTS);
  const inbox = useInbox();
  const [open, setOpen] = useState(false);
  const { unread } = inbox;
  const name = unread > 0 ? t.unread({ count: unread }) : t.title;
  const change = (next: boolean) => {
    setOpen(next);
    // Opening marks nothing as read, leaving does.
    if (!next) inbox.markRead();
  };
  useOpenKey(() => setOpen(true));
  return (
    <>
      <IconButton
        className={s.bell}
        label={name}
        icon={
          <>
            <BellIcon aria-hidden="true" />
            {unread > 0 && <span className={s.count}>{unread > MANY ? `${MANY}+` : unread}</span>}
          </>
        }
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={prefetchOverlays}
        onFocus={prefetchOverlays}
        onClick={() => setOpen(true)}
        data-testid="notices-unread"
        data-value={unread}
      />
      <NewOnes unread={unread} known={inbox.notices !== undefined} sentence={name} />
      <Dialog
        open={open}
        onOpenChange={change}
        width={440}
        title={t.title}
        titleHidden
        lead={<InboxHead inbox={inbox} onLeave={() => change(false)} />}
        closeHidden
        testId="notices"
      >
        <InboxList inbox={inbox} onLeave={() => change(false)} />
      </Dialog>
    </>
  );
}

/** Says once that more is unread than before, politely and not often. */
function NewOnes({ unread, known, sentence }: { unread: number; known: boolean; sentence: string }) {
  const [said, setSaid] = useState('');
  const last = useRef<{ unread: number; atMs: number } | null>(null);
  useEffect(() => {
    if (!known) return;
    const before = last.current;
    last.current = { unread, atMs: before?.atMs ?? Number.NEGATIVE_INFINITY };
    if (before === null || unread <= before.unread) return;
    const nowMs = performance.now();
    if (nowMs - before.atMs < SPEAK_EVERY_MS) return;
    last.current = { unread, atMs: nowMs };
    setSaid(sentence);
  }, [unread, known, sentence]);
  return (
    <VisuallyHidden role="status" data-said>
      {said}
    </VisuallyHidden>
  );
}
