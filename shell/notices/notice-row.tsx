import { dateFormat, formatDate, formatWhen, type TextsOf, useTexts } from '@cord/sdk';
import { type BadgeTone, buttonClass, cx, Row, Stack, StatusDot } from '@cord/ui';
import {
  Bell,
  CalendarClock,
  Coins,
  FileCheck,
  Flame,
  Layers,
  type LucideIcon,
  MessageSquare,
  Pause,
  ShieldAlert,
  Trophy,
  UserPlus,
} from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { RULES_VIEW } from '../app/bundles';
import { TabLink } from '../tabs/tab-link';
import s from './inbox.module.css';
import { NOTICE_TEXTS } from './texts';
import type { Notice } from './use-inbox';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
const weekday = dateFormat({ weekday: 'short' });

/** Icon and tone of each kind; unknown kinds get the bell. */
const LOOKS: Readonly<Record<string, { icon: LucideIcon; tone: BadgeTone }>> = {
  'node-paused': { icon: Pause, tone: 'warn' },
  'streak-closing': { icon: Flame, tone: 'warn' },
  'friend-joined': { icon: UserPlus, tone: 'live' },
  commission: { icon: Coins, tone: 'plain' },
  payment: { icon: FileCheck, tone: 'live' },
  epoch: { icon: Layers, tone: 'sky' },
  rules: { icon: CalendarClock, tone: 'sky' },
  'support-answered': { icon: MessageSquare, tone: 'plain' },
  rank: { icon: Trophy, tone: 'plain' },
  security: { icon: ShieldAlert, tone: 'warn' },
};

interface NoticeRowProps {
  notice: Notice;
  nowMs: number;
  onLeave: () => void;
}

/** One notice: its title links to details, with at most one action. */
export function NoticeRow({ notice, nowMs, onLeave }: NoticeRowProps) {
  const t = useTexts(NOTICE_TEXTS);
  const { kind, title, text, tab, at, readAt } = notice;
  const { icon: Icon, tone } = LOOKS[kind] ?? { icon: Bell, tone: 'plain' };
  const atMs = Date.parse(at);
  const fresh = readAt === null;
  return (
    <li className={cx(s.row, fresh && s.fresh)}>
      <span className={s.tile} data-tone={tone}>
        <Icon size={20} aria-hidden="true" />
      </span>
      <div>
        {tab === undefined ? (
          <p className={s.name}>{title}</p>
        ) : (
          <TabLink
            tab={tab}
            view={kind === 'rules' ? RULES_VIEW : undefined}
            className={s.name}
            onClick={onLeave}
            onKeyDown={moveByArrows}
            data-notice
          >
            {title}
          </TabLink>
        )}
        <p className={s.text}>{text}</p>
        {kind === 'streak-closing' && tab !== undefined && (
          <TabLink
            tab={tab}
            className={buttonClass({ variant: 'primary', size: 'sm' })}
            onClick={onLeave}
            onKeyDown={moveByArrows}
          >
            {t.checkIn}
          </TabLink>
        )}
        {kind === 'support-answered' && (
          <TabLink tab="settings" className={s.link} onClick={onLeave} onKeyDown={moveByArrows}>
            {t.readAnswer}
          </TabLink>
        )}
      </div>
      <Stack gap={4} align="end" className="t-13 t-line c-2">
        <time dateTime={at} title={formatWhen(atMs, nowMs)}>
          {ageText(atMs, nowMs, t)}
        </time>
        {fresh && (
          <Row as="span" inline gap={6} align="center" className="t-600 c-live">
            <StatusDot />
            {t.fresh}
          </Row>
        )}
      </Stack>
    </li>
  );
}

/** Formats an age: `4 min`, `3 h`, `Thu`, `12 Nov`. */
function ageText(atMs: number, nowMs: number, t: TextsOf<typeof NOTICE_TEXTS>): string {
  const agoMs = nowMs - atMs;
  if (agoMs < MINUTE_MS) return t.now;
  if (agoMs < HOUR_MS) return t.minutes({ count: Math.floor(agoMs / MINUTE_MS) });
  if (agoMs < DAY_MS) return t.hours({ count: Math.floor(agoMs / HOUR_MS) });
  return agoMs < WEEK_MS ? weekday.format(atMs) : formatDate(atMs, false);
}

/** Moves between notices by arrow keys; Enter follows the link. */
function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const list = event.currentTarget.closest('[data-list]');
  const links = [...(list?.querySelectorAll<HTMLElement>('[data-notice]') ?? [])];
  const row = event.currentTarget.closest('li');
  const at = links.findIndex((link) => link.closest('li') === row);
  const next = links[at + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
