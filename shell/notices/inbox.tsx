import { isUnread, Loaded, useMediaQuery, useServerNow, useStore, useTexts, withNodes } from '@cord/sdk';
import { Button, cx, EmptyState, Skeleton, SkeletonRegion } from '@cord/ui';
import { Dialog } from '@cord/ui/overlays';
import { Check, Settings } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import type { Overlay } from '../app/lazy-overlay';
import { TabLink } from '../tabs/tab-link';
import { BELL_TEXTS } from './bell-texts';
import s from './inbox.module.css';
import { NoticeRow } from './notice-row';
import { opensByKey } from './open-key';
import { NOTICE_TEXTS } from './texts';
import { type InboxState, type Notice, useInbox } from './use-inbox';

/** The user's notices under the bell; a sheet on phones. */
export function Inbox({ open, onOpenChange }: Overlay) {
  const t = useTexts(BELL_TEXTS);
  const inbox = useInbox();
  const list = useRef<HTMLDivElement>(null);
  const change = (next: boolean) => {
    onOpenChange(next);
    // Notices are marked as read when the list closes.
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

/** Returns the initial focus target when it is read: the first notice, or the list while it is empty. */
function firstOf(list: RefObject<HTMLElement | null>): RefObject<HTMLElement | null> {
  return {
    get current() {
      return firstIn(list.current) ?? list.current;
    },
  };
}

interface InboxProps {
  inbox: InboxState;
  /** Closes the list before another page opens. */
  onLeave: () => void;
}

/** Header of the list. */
function InboxHead({ inbox, onLeave }: InboxProps) {
  const t = useTexts(NOTICE_TEXTS);
  const { title } = useTexts(BELL_TEXTS);
  return (
    <div className={s.head}>
      <span className={s.title} aria-hidden="true">
        {title}
      </span>
      <Button
        variant="ghost"
        size="sm"
        icon={<Check size={16} />}
        disabled={!inbox.query.data?.unread}
        onClick={inbox.markRead}
      >
        {t.markAll}
      </Button>
      <TabLink tab="settings" className={s.gear} aria-label={t.settings} title={t.settings} onClick={onLeave}>
        <Settings size={18} />
      </TabLink>
    </div>
  );
}

/** Returns the first notice, or the first action when there is none. */
function firstIn(list: HTMLElement | null): HTMLElement | null {
  return list?.querySelector<HTMLElement>('a, button') ?? null;
}

/** The user's notices, today and earlier, in each state. */
function InboxList({ ref, inbox, onLeave }: InboxProps & { ref: RefObject<HTMLDivElement | null> }) {
  const waiting = inbox.query.data === undefined && !isUnread(inbox.query);
  useEffect(() => {
    // If the list was opened before its data came, focus moves from it to the first notice.
    if (!waiting && document.activeElement === ref.current) firstIn(ref.current)?.focus();
  }, [waiting, ref]);
  return (
    <>
      <div ref={ref} className={s.list} tabIndex={-1} data-list>
        <Body inbox={inbox} onLeave={onLeave} />
      </div>
      <Foot onLeave={onLeave} />
    </>
  );
}

function Body({ inbox, onLeave }: InboxProps) {
  const t = useTexts(NOTICE_TEXTS);
  const { failed } = useTexts(BELL_TEXTS);
  const loading = (
    <SkeletonRegion label={t.loading}>
      {[1, 2, 3].map((row) => (
        <div key={row} className={s.waiting}>
          <Skeleton height={44} />
        </div>
      ))}
    </SkeletonRegion>
  );
  return (
    <Loaded query={inbox.query} failed={failed} loading={loading}>
      {({ notices }) => <Notices notices={notices} inbox={inbox} onLeave={onLeave} />}
    </Loaded>
  );
}

function Notices({ notices, inbox, onLeave }: InboxProps & { notices: Notice[] }) {
  const t = useTexts(NOTICE_TEXTS);
  const nowMs = useServerNow();
  if (notices.length === 0) return <EmptyState title={t.emptyTitle}>{t.emptyText}</EmptyState>;
  const today = new Date(nowMs).toDateString();
  const isToday = ({ at }: Notice) => new Date(at).toDateString() === today;
  const rows = { nowMs, onLeave };
  return (
    <>
      <Group name={t.today} notices={notices.filter(isToday)} {...rows} />
      <Group name={t.earlier} notices={notices.filter((notice) => !isToday(notice))} {...rows} />
      {inbox.hasMore && (
        <div className={s.more}>
          <Button variant="ghost" size="sm" loading={inbox.fetchingMore} onClick={inbox.more}>
            {t.more}
          </Button>
        </div>
      )}
    </>
  );
}

function Group({ name, notices, ...rows }: { name: string; notices: Notice[]; nowMs: number; onLeave: () => void }) {
  if (notices.length === 0) return null;
  return (
    <section>
      <h3 className={s.group}>{name}</h3>
      <ul className="l-lines">
        {notices.map((notice) => (
          <NoticeRow key={notice.id} notice={notice} {...rows} />
        ))}
      </ul>
    </section>
  );
}

/** Retention note, and how to close: a key on devices with keyboards, else a button. */
function Foot({ onLeave }: { onLeave: () => void }) {
  const t = useTexts(NOTICE_TEXTS);
  const keys = useMediaQuery('(min-width: 48rem) and (hover: hover)');
  const byKey = useStore(opensByKey);
  return (
    <div className={cx(s.foot, !keys && s.high)}>
      <span>{t.kept}</span>
      {keys ? (
        byKey && <span>{withNodes(t.opens, { key: <kbd className={s.key}>N</kbd> })}</span>
      ) : (
        <Button variant="ghost" size="sm" onClick={onLeave}>
          {t.close}
        </Button>
      )}
    </div>
  );
}
