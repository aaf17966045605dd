import { useSettings, useTexts, useUserId } from '@cord/sdk';
import { Skeleton, Switch, TabErrorPanel } from '@cord/ui';
import { Section } from './section';
import { SETTINGS_TEXTS } from './texts';
import { useSaveSettings } from './use-save-settings';

/** Auto-start and notifications, saved on the server (decisions, Toggles). */
export function MiningConfiguration() {
  const t = useTexts(SETTINGS_TEXTS);
  const saved = useSettings();
  const save = useSaveSettings(useUserId() ?? '');
  return (
    <Section title={t.mining} text={t.miningText}>
      {saved.isError ? (
        <TabErrorPanel
          compact
          title={t.togglesFailed}
          retrying={saved.isFetching}
          onRetry={() => void saved.refetch()}
        />
      ) : saved.data === undefined ? (
        <Skeleton height={96} />
      ) : (
        <>
          <Switch
            label={t.autoStart}
            help={t.autoStartHelp}
            needsServer
            checked={saved.data.autoStart}
            onChange={(autoStart) => save.mutate({ autoStart })}
            testId="auto-start"
          />
          <Switch
            label={t.notifications}
            help={t.notificationsHelp}
            needsServer
            checked={saved.data.notifications}
            onChange={(notifications) => save.mutate({ notifications })}
            testId="notifications"
          />
        </>
      )}
    </Section>
  );
}
