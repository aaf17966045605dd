import * as supportEndpoints from '@cord/contracts/addresses/support';
import { dayKey } from '@cord/contracts/rules/days';
import { formatDate, formatDayKey, formatTime, messageOf, useSdk, useTexts, useUserId, useWrite } from '@cord/sdk';
import { Button, formatCord, Notice, Spinner, Stack } from '@cord/ui';
import { Clock, CloudOff, History, Hourglass, MessageSquare, Play, RefreshCw, ShieldCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { supportKey } from '../settings/use-support';
import { finding, partOf } from './finding';
import { forgetChecks, remembered } from './remembered';
import { type CheckEnd, isBegun, isRight, type NoRoot, nextRootMs } from './run-check';
import { CHECK_TEXTS } from './texts';
import type { useCheck } from './use-check';

type Check = ReturnType<typeof useCheck>;

/** State of the check. Screen readers announce good results at the next pause, bad ones at once. */
export function Result({ check }: { check: Check }) {
  const { state } = check;
  const isBad =
    state.kind === 'lost' ||
    (state.kind === 'no-root' && state.end.noRoot !== 'first' && state.end.noRoot !== 'late') ||
    (state.kind === 'done' && !isRight(state.end.checked));
  const own = useRef<HTMLDivElement>(null);
  // The pressed button disappears, so focus moves to the result.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the state
  useEffect(() => {
    if (document.activeElement === document.body) own.current?.focus({ preventScroll: true });
  }, [state.kind]);
  return (
    <div ref={own} tabIndex={-1}>
      <Stack gap="var(--gap)" role="status" data-testid="ledger-check" data-value={isBad ? 'bad' : state.kind}>
        {!isBad && <Calm check={check} />}
      </Stack>
      <Stack gap="var(--gap)" role="alert">
        {isBad && <Bad check={check} />}
      </Stack>
    </div>
  );
}

function Calm({ check: { state, start, cancel } }: { check: Check }) {
  const t = useTexts(CHECK_TEXTS);
  const { clock } = useSdk();
  const userId = useUserId() ?? '';
  switch (state.kind) {
    case 'checking':
      return (
        <Notice
          tone="plain"
          icon={<Spinner size={20} />}
          title={t.checking({ step: state.step })}
          action={<Button onClick={cancel}>{t.cancel}</Button>}
        >
          {state.step === 1 ? t.reading : t.computing}
        </Notice>
      );
    case 'no-root':
      if (state.end.noRoot === 'late')
        return (
          <Notice
            look="inline"
            tone="warn"
            icon={<Clock />}
            title={t.late({ day: formatDayKey(state.end.entered?.due ?? '') })}
            action={<AgainButton start={start} />}
          >
            {t.lateFirst}
          </Notice>
        );
      return (
        <Notice tone="plain" icon={<Hourglass />} title={t.firstDay}>
          {t.firstDayText({ day: formatDayKey(dayKey(nextRootMs(clock.now()))) })}
        </Notice>
      );
    case 'done':
      return <Right end={state.end} start={start} />;
    default: {
      const { last } = remembered(userId);
      const seen = last && { date: formatDate(last.atMs), time: formatTime(last.atMs) };
      return (
        <Notice
          tone={last?.ok === false && !last.begun ? 'danger' : 'plain'}
          icon={<ShieldCheck />}
          title={seen ? t.last(seen) : t.idle}
          action={
            <Button variant="primary" icon={<Play />} needsServer onClick={start}>
              {last ? t.checkAgain : t.checkNow}
            </Button>
          }
        >
          {last === null
            ? t.idleText
            : last.ok
              ? t.lastText({ day: formatDayKey(last.day) })
              : last.begun
                ? t.lastBegun
                : t.lastFailed}
        </Notice>
      );
    }
  }
}

function Right({ end, start }: { end: CheckEnd; start: () => void }) {
  const t = useTexts(CHECK_TEXTS);
  const { day, atMs, tookMs, lateDay } = end;
  return (
    <>
      {lateDay !== null && (
        <Notice look="inline" tone="warn" icon={<Clock />} title={t.late({ day: formatDayKey(lateDay) })}>
          {t.lateText({ day: formatDayKey(day) })}
        </Notice>
      )}
      <Notice
        look="inline"
        tone="live"
        icon={<ShieldCheck />}
        title={t.ok({ day: formatDayKey(day) })}
        action={<AgainButton start={start} />}
      >
        {t.okText({ time: formatTime(atMs), seconds: formatCord(Math.round(tookMs / 100) / 10, { decimals: 1 }) })}
      </Notice>
    </>
  );
}

function AgainButton({ start }: { start: () => void }) {
  const t = useTexts(CHECK_TEXTS);
  return (
    <Button icon={<RefreshCw />} needsServer onClick={start}>
      {t.checkAgain}
    </Button>
  );
}

function Bad({ check: { state, start } }: { check: Check }) {
  const t = useTexts(CHECK_TEXTS);
  if (state.kind === 'no-root') return <WithoutRoot end={state.end} start={start} />;
  if (state.kind !== 'done')
    return (
      <Notice
        look="inline"
        tone="danger"
        icon={<CloudOff />}
        title={t.lost}
        action={
          <Button icon={<RefreshCw />} onClick={start}>
            {t.retry}
          </Button>
        }
      >
        {t.lostText}
      </Notice>
    );
  const { checked } = state.end;
  if (isBegun(checked)) return <Begun end={state.end} start={start} />;
  const { part, n } = partOf(checked);
  return (
    <Notice
      look="inline"
      tone="danger"
      title={part === 'entry' ? t['failed.entry']({ n }) : t[`failed.${part}`]}
      action={<Contact atMs={state.end.atMs} found={foundOf(state.end)} />}
    >
      <p>{t.failedText}</p>
      <p>
        {t.finding}: <code>{finding(checked)}</code>
      </p>
      <AgainButton start={start} />
    </Notice>
  );
}

/** Shows that the log was restarted, and a button to accept it. */
function Begun({ end, start }: { end: CheckEnd; start: () => void }) {
  const t = useTexts(CHECK_TEXTS);
  const { verdict, begun } = end.checked;
  const atMs = begun?.atMs ?? 0;
  const goOn = () => {
    forgetChecks();
    start();
  };
  return (
    <Notice
      look="inline"
      tone="warn"
      icon={<History />}
      title={t.begun({ date: formatDate(atMs), time: formatTime(atMs) })}
      action={
        <Button variant="primary" icon={<Play />} needsServer onClick={goOn}>
          {t.begunGoOn}
        </Button>
      }
    >
      <p>{t.begunReason({ reason: begun?.reason ?? '' })}</p>
      <p>{t.begunText}</p>
      {!verdict.ok && (
        <p>
          {t.begunLost} <code>{verdict.text}</code>
        </p>
      )}
      <p>{t.begunGoOnText}</p>
      {!verdict.ok && <Contact atMs={end.atMs} found={foundOf(end)} quiet />}
    </Notice>
  );
}

/** Shows that no root includes the account although this browser knows more. After a restart the first root may still be due; else it is missing. */
function WithoutRoot({ end: { noRoot, begun, entered, atMs }, start }: { end: NoRoot; start: () => void }) {
  const t = useTexts(CHECK_TEXTS);
  if (begun)
    return (
      <Notice
        look="inline"
        tone="warn"
        icon={<History />}
        title={t.begun({ date: formatDate(begun.atMs), time: formatTime(begun.atMs) })}
        action={<AgainButton start={start} />}
      >
        <p>{t.begunReason({ reason: begun.reason })}</p>
        <p>{t.begunPending}</p>
      </Notice>
    );
  const found = entered
    ? `MISMATCH tree: the first entry is of ${entered.day}, and the root of ${entered.due} has not this account`
    : noRoot === 'gone'
      ? FOUND_GONE
      : FOUND_LEFT_OUT;
  return (
    <Notice
      look="inline"
      tone="danger"
      title={noRoot === 'gone' ? t['failed.gone'] : t['failed.left-out']}
      action={<Contact atMs={atMs} found={[found]} />}
    >
      <p>{t.failedWithoutFile}</p>
      <p>
        {t.finding}: <code>{found}</code>
      </p>
      <AgainButton start={start} />
    </Notice>
  );
}

const FOUND_GONE = 'MISMATCH history: this browser knows a log, and there is none';
const FOUND_LEFT_OUT = 'MISMATCH tree: a root had this account, the newest has not';

/** Returns the details of a check for support. */
function foundOf({ checked, parts: { proof, begun, checkpoint } }: CheckEnd): string[] {
  return [finding(checked), proof.record, begun ?? '', checkpoint];
}

/** Sends the findings to support, only on a press. */
function Contact({ atMs, found, quiet = false }: { atMs: number; found: readonly string[]; quiet?: boolean }) {
  const t = useTexts(CHECK_TEXTS);
  const userId = useUserId() ?? '';
  const text = [t.contactLead, ...found, remembered(userId).log?.checkpoint ?? ''];
  const body = { kind: 'support' as const, subject: t.contactSubject, text: text.join('\n\n').slice(0, 4_000) };
  const send = useWrite(
    (api, _press: null, idempotencyKey) => api.call(supportEndpoints.file, { body, idempotencyKey }),
    {
      key: ['support', 'ledger-check', userId, atMs],
      refresh: [supportKey(userId)],
    },
  );
  if (send.data !== undefined)
    return (
      <p>
        <strong>{t.contacted}.</strong> {t.contactedText}
      </p>
    );
  return (
    <>
      <Button
        variant={quiet ? 'ghost' : 'primary'}
        icon={<MessageSquare />}
        needsServer
        loading={send.isPending}
        loadingText={t.contacting}
        onClick={() => send.press(null)}
      >
        {t.contact}
      </Button>
      {send.error !== null && <p>{messageOf(send.error, t.contactFailed)}</p>}
    </>
  );
}
