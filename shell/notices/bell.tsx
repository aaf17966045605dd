import { createStore, lazyFile, useStore, useTexts } from '@cord/sdk';
import { IconButton, VisuallyHidden } from '@cord/ui';
import { Bell as BellIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { LazyOverlay } from '../app/lazy-overlay';
import s from './bell.module.css';
import { BELL_TEXTS } from './bell-texts';
import { useOpenKey } from './open-key';
import { useUnread } from './use-unread';

const MANY = 9;
/** Minimum interval between announcements of new notices, ms. */
const ANNOUNCE_EVERY_MS = 60_000;

/** The list under the bell. */
export const INBOX = lazyFile(() => import('./inbox').then(({ Inbox }) => Inbox));
/** Preloads the list before its first opening. */
const fetchInbox = () => void INBOX.preload();

/**
 * The header's bell with the unread count; the list loads separately.
 * @param quiet whether the page may load the unread count; the bell works from the first frame
 */
export function Bell({ quiet = true }: { quiet?: boolean }) {
  const t = useTexts(BELL_TEXTS);
  const known = useUnread(quiet);
  const unread = known ?? 0;
  const [opened] = useState(() => createStore(false));
  const open = useStore(opened);
  const name = unread > 0 ? t.unread({ count: unread }) : t.title;
  useOpenKey(() => opened.set(true));
  return (
    <>
      <IconButton
        className={s.bell}
        label={name}
        icon={
          <>
            <BellIcon />
            {unread > 0 && <span className={s.count}>{unread > MANY ? `${MANY}+` : unread}</span>}
          </>
        }
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={fetchInbox}
        onFocus={fetchInbox}
        onClick={() => opened.set(true)}
        data-testid="notices-unread"
        data-value={unread}
      />
      <NewOnes unread={unread} known={known !== undefined} sentence={name} />
      <LazyOverlay opened={opened} of={INBOX} part="notices" name={t.title} failedText={t.failed} />
    </>
  );
}

/** Announces an increased unread count once, politely and at a limited rate; changes in between are combined. */
function NewOnes({ unread, known, sentence }: { unread: number; known: boolean; sentence: string }) {
  const [announcement, setAnnouncement] = useState('');
  const announced = useRef(Number.POSITIVE_INFINITY);
  const nextMs = useRef(0);
  useEffect(() => {
    if (!known) return;
    if (unread <= announced.current) {
      announced.current = unread;
      // Cleared, so that the same number can be announced again.
      setAnnouncement('');
      return;
    }
    const announce = () => {
      announced.current = unread;
      nextMs.current = performance.now() + ANNOUNCE_EVERY_MS;
      setAnnouncement(sentence);
    };
    const timer = setTimeout(announce, nextMs.current - performance.now());
    return () => clearTimeout(timer);
  }, [unread, known, sentence]);
  return (
    <VisuallyHidden role="status" data-announced>
      {announcement}
    </VisuallyHidden>
  );
}
