import * as authEndpoints from '@cord/contracts/addresses/auth';
import * as logEndpoints from '@cord/contracts/addresses/log';
import * as userEndpoints from '@cord/contracts/addresses/users';
import type { ResponseOf } from '@cord/contracts/calls';
import { deviceIn } from '@cord/contracts/rules/device';
import { formatDate, formatTime, LIVE_CALM_MS, useQuery, useSdk, useTexts, useUserId, useWrite } from '@cord/sdk';
import { Badge, Button, SettingRow } from '@cord/ui';
import { Check, Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { orNoRoot } from '../ledger-check/no-root';
import { LedgerCheckRow } from '../ledger-check/row';
import { Place } from '../parts/place';
import { downloadJson } from './download-json';
import { useFirstFew } from './first-few';
import { Known } from './known';
import { Section } from './section';
import { isSignInTooOld, SignInAgain } from './sign-in-again';
import { SETTINGS_TEXTS } from './texts';
import { failureToast } from './toast-failure';

/** Query key of the user's sessions. */
const keyOf = (userId: string | null) => ['auth', 'sessions', userId];

/** The user's sessions, buttons to end others, and a data export. */
export function Security() {
  const t = useTexts(SETTINGS_TEXTS);
  return (
    <Section title={t.security} text={t.securityText}>
      <Sessions />
      <Place name="settings.security" />
      <LedgerCheckRow />
      <Export />
    </Section>
  );
}

function Sessions() {
  const t = useTexts(SETTINGS_TEXTS);
  const { api } = useSdk();
  const userId = useUserId();
  const sessions = useQuery({
    queryKey: keyOf(userId),
    meta: { live: { user: LIVE_CALM_MS } },
    queryFn: ({ signal }) => api.call(authEndpoints.sessions, { signal }),
    staleTime: 0,
  });
  return (
    <Known query={sessions} failed={t.sessionsFailed}>
      {(all) => <SessionRows all={all} />}
    </Known>
  );
}

type Session = ResponseOf<typeof authEndpoints.sessions>[number];

/** This browser first, then the others by last activity. */
function SessionRows({ all }: { all: readonly Session[] }) {
  const t = useTexts(SETTINGS_TEXTS);
  const others = all
    .filter(({ current }) => !current)
    .sort((a, b) => Date.parse(b.lastSeenAt) - Date.parse(a.lastSeenAt));
  const { shown, more } = useFirstFew([...all.filter(({ current }) => current), ...others]);
  const names = { of: t.deviceOf, unknown: t.deviceUnknown };
  return (
    <>
      {shown.map(({ id, current, device, lastSeenAt, expiresAt }) => {
        const name = deviceIn(names, device);
        const seen = { day: formatDate(Date.parse(lastSeenAt)), time: formatTime(Date.parse(lastSeenAt)) };
        return (
          <SettingRow
            key={id}
            title={current ? t.thisBrowser : name}
            help={
              current ? t.thisBrowserHelp({ device: name, day: formatDate(Date.parse(expiresAt)) }) : t.lastSeen(seen)
            }
          >
            {current ? (
              <Badge tone="live" icon={<Check size={16} />}>
                {t.active}
              </Badge>
            ) : (
              <EndButton id={id} label={t.endNamed({ device: name })}>
                {t.end}
              </EndButton>
            )}
          </SettingRow>
        );
      })}
      {more}
      {others.length > 1 && (
        <SettingRow title={t.others} help={t.othersHelp}>
          <EndButton id={null}>{t.endAll}</EndButton>
        </SettingRow>
      )}
    </>
  );
}

/** Ends one session, or with null all others. */
function EndButton({ id, label, children }: { id: string | null; label?: string; children: ReactNode }) {
  const userId = useUserId();
  const end = useWrite(
    (api, session: string | null): Promise<unknown> =>
      session === null
        ? api.call(authEndpoints.endSessions)
        : api.call(authEndpoints.endSession, { params: { id: session } }),
    {
      key: ['auth', 'end-session', userId, id],
      refresh: [keyOf(userId)],
      toast: { failed: (error) => failureToast(SETTINGS_TEXTS.get().notEnded, error) },
    },
  );
  return (
    <Button needsServer size="sm" aria-label={label} onClick={() => end.press(id)} loading={end.isPending}>
      {children}
    </Button>
  );
}

function Export() {
  const t = useTexts(SETTINGS_TEXTS);
  const userId = useUserId() ?? '';
  const params = { id: userId };
  const download = useWrite(
    async (api, _press: null) => {
      const data = await api.call(userEndpoints.export, { params });
      // Includes all ledger entries and their proof; before the first root there is none.
      const proof = await orNoRoot(api.call(logEndpoints.proof, { params }));
      return { ...data, proof };
    },
    {
      key: ['user', 'export', userId],
      onDone: (data) => downloadJson(data, `cord-${data.username}-${data.exportDate.slice(0, 10)}.json`),
      toast: { failed: (error) => (isSignInTooOld(error) ? null : failureToast(t.exportFailed, error)) },
    },
  );
  return (
    <>
      <SettingRow title={t.exportTitle} help={t.exportHelp}>
        <Button
          icon={<Download />}
          loading={download.isPending}
          loadingText={t.exporting}
          needsServer
          onClick={() => download.press(null)}
        >
          {t.export}
        </Button>
      </SettingRow>
      {isSignInTooOld(download.error) && <SignInAgain />}
    </>
  );
}
