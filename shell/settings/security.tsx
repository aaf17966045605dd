import * as authEndpoints from '@cord/contracts/addresses/auth';
import * as userEndpoints from '@cord/contracts/addresses/users';
import { deviceIn } from '@cord/contracts/rules/device';
import { formatDate, formatTime, useQuery, useQueryClient, useSdk, useTexts, useUserId } from '@cord/sdk';
import { Badge, Button, Skeleton, TabErrorPanel } from '@cord/ui';
import { useMutation } from '@tanstack/react-query';
import { Check, Download } from 'lucide-react';
import { downloadJson } from './download-json';
import { NetworkCheck } from './network-check';
import { Row, Section } from './section';
import { isSignInTooOld, SignInAgain } from './sign-in-again';
import { SETTINGS_TEXTS } from './texts';
import { toastFailure } from './toast-failure';

/** Key of the user's sign-ins in the query cache. */
const keyOf = (userId: string | null) => ['auth', 'sessions', userId];

/** Where the user is signed in, ending the others, and a copy of the data. */
export function Security() {
  const t = useTexts(SETTINGS_TEXTS);
  return (
    <Section title={t.security} text={t.securityText}>
      <Sessions />
      <NetworkCheck />
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
    queryFn: ({ signal }) => api.call(authEndpoints.sessions, { signal }),
    staleTime: 0,
  });
  const end = useEnd();
  if (sessions.isError) {
    return (
      <TabErrorPanel
        compact
        title={t.sessionsFailed}
        retrying={sessions.isFetching}
        onRetry={() => void sessions.refetch()}
      />
    );
  }
  if (sessions.data === undefined) return <Skeleton height={48} />;
  const words = { of: t.deviceOf, unknown: t.deviceUnknown };
  const others = sessions.data.filter(({ current }) => !current);
  return (
    <>
      {sessions.data.map(({ id, current, device, lastSeenAt, expiresAt }) => (
        <Row
          key={id}
          title={current ? t.thisBrowser : deviceIn(words, device)}
          help={
            current
              ? t.thisBrowserHelp({ device: deviceIn(words, device), day: formatDate(Date.parse(expiresAt)) })
              : t.lastSeen({ day: formatDate(Date.parse(lastSeenAt)), time: formatTime(Date.parse(lastSeenAt)) })
          }
        >
          {current ? (
            <Badge tone="live" icon={<Check size={16} aria-hidden="true" />}>
              {t.active}
            </Badge>
          ) : (
            <Button
              needsServer
              size="sm"
              onClick={() => end.mutate(id)}
              loading={end.isPending && end.variables === id}
            >
              {t.end}
            </Button>
          )}
        </Row>
      ))}
      {others.length > 1 && (
        <Row title={t.others} help={t.othersHelp}>
          <Button
            needsServer
            size="sm"
            onClick={() => end.mutate(null)}
            loading={end.isPending && end.variables === null}
          >
            {t.endAll}
          </Button>
        </Row>
      )}
    </>
  );
}

/** Ends one session, or with null all but this one. */
function useEnd() {
  const { api, toasts } = useSdk();
  const queries = useQueryClient();
  const userId = useUserId();
  return useMutation({
    mutationFn: (id: string | null) =>
      id === null ? api.call(authEndpoints.endSessions) : api.call(authEndpoints.endSession, { params: { id } }),
    onError: (error) => toastFailure(toasts, SETTINGS_TEXTS.get().notEnded, error),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(userId) }),
  });
}

function Export() {
  const t = useTexts(SETTINGS_TEXTS);
  const { api, toasts } = useSdk();
  const userId = useUserId() ?? '';
  const download = useMutation({
    mutationFn: () => api.call(userEndpoints.export, { params: { id: userId } }),
    onSuccess: (data) => downloadJson(data, `cord-${data.username}-${data.exportDate.slice(0, 10)}.json`),
    onError: (error) => isSignInTooOld(error) || toastFailure(toasts, t.exportFailed, error),
  });
  return (
    <>
      <Row title={t.exportTitle} help={t.exportHelp}>
        <Button
          icon={<Download aria-hidden="true" />}
          loading={download.isPending}
          loadingText={t.exporting}
          needsServer
          onClick={() => download.mutate()}
        >
          {t.export}
        </Button>
      </Row>
      {isSignInTooOld(download.error) && <SignInAgain />}
    </>
  );
}
