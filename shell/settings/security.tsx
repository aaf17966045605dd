import { authEndpoints } from '@cord/contracts/http/auth';
import { userEndpoints } from '@cord/contracts/http/users';
import { messageOf, SHORT_TOAST_MS, useMutation, useQuery, useQueryClient, useSdk, useUserId } from '@cord/sdk';
import { Badge, Button, Skeleton, TabErrorPanel } from '@cord/ui';
import { Check, Download } from 'lucide-react';
import { formatDate, formatTime } from '../app/dates';
import { downloadJson } from './download-json';
import { Row, Section } from './section';

const KEY = ['auth', 'sessions'];

/** Where the user is signed in, ending the others, and a copy of the data. */
export function Security() {
  return (
    <Section title="Security" text="Your sessions and your copy of the data.">
      <Sessions />
      <Export />
    </Section>
  );
}

function Sessions() {
  const { api } = useSdk();
  const sessions = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.call(authEndpoints.sessions, { signal }),
    staleTime: 0,
  });
  const end = useEnd();
  if (sessions.isError) {
    return (
      <TabErrorPanel
        compact
        title="Your sessions could not be loaded"
        retrying={sessions.isFetching}
        onRetry={() => void sessions.refetch()}
      />
    );
  }
  if (sessions.data === undefined) return <Skeleton height={48} />;
  const others = sessions.data.filter(({ current }) => !current);
  return (
    <>
      {sessions.data.map(({ id, current, device, lastSeenAt, expiresAt }) => (
        <Row
          key={id}
          title={current ? 'Signed in on this browser' : device}
          help={
            current
              ? `${device}. Ends after 7 days, on ${formatDate(Date.parse(expiresAt))}.`
              : `Last seen ${formatDate(Date.parse(lastSeenAt))}, ${formatTime(Date.parse(lastSeenAt))}.`
          }
        >
          {current ? (
            <Badge tone="live" icon={<Check size={16} aria-hidden="true" />}>
              Active
            </Badge>
          ) : (
            <Button
              needsServer
              size="sm"
              onClick={() => end.mutate(id)}
              loading={end.isPending && end.variables === id}
            >
              End
            </Button>
          )}
        </Row>
      ))}
      {others.length > 1 && (
        <Row title="All other sessions" help="Everywhere but on this browser.">
          <Button
            needsServer
            size="sm"
            onClick={() => end.mutate(null)}
            loading={end.isPending && end.variables === null}
          >
            End all
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
  return useMutation({
    mutationFn: (id: string | null) =>
      id === null ? api.call(authEndpoints.endSessions) : api.call(authEndpoints.endSession, { params: { id } }),
    onError: (error) =>
      toasts.show({
        kind: 'error',
        title: 'Session not ended',
        text: messageOf(error, 'Please try again'),
        durationMs: SHORT_TOAST_MS,
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

function Export() {
  const { api, toasts } = useSdk();
  const userId = useUserId() ?? '';
  const download = useMutation({
    mutationFn: () => api.call(userEndpoints.export, { params: { id: userId } }),
    onSuccess: (data) => downloadJson(data, `cord-${data.username}-${data.exportDate.slice(0, 10)}.json`),
    onError: (error) =>
      toasts.show({
        kind: 'error',
        title: 'Export failed',
        text: messageOf(error, 'Please try again'),
        durationMs: SHORT_TOAST_MS,
      }),
  });
  return (
    <Row title="Export your data" help="A JSON file with balance, totals, code and account age.">
      <Button
        icon={<Download aria-hidden="true" />}
        loading={download.isPending}
        loadingText="Exporting"
        needsServer
        onClick={() => download.mutate()}
      >
        Export
      </Button>
    </Row>
  );
}
