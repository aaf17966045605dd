import { useSettings, useTexts, useUserId } from '@cord/sdk';
import { Switch } from '@cord/ui';
import { Known } from './known';
import { Section } from './section';
import { SETTINGS_TEXTS } from './texts';
import { useSaveSettings } from './use-save-settings';

/** Auto-start, saved on the server. */
export function MiningConfiguration() {
  const t = useTexts(SETTINGS_TEXTS);
  const saved = useSettings();
  const save = useSaveSettings(useUserId() ?? '');
  return (
    <Section title={t.mining} text={t.miningText}>
      <Known query={saved} failed={t.togglesFailed}>
        {(toggles) => (
          <Switch
            label={t.autoStart}
            help={t.autoStartHelp}
            needsServer
            checked={toggles.autoStart}
            onChange={(autoStart) => save.press({ autoStart })}
            testId="auto-start"
          />
        )}
      </Known>
    </Section>
  );
}
