import { useStore, useTexts } from '@cord/sdk';
import { ChipGroup, SettingRow, Switch } from '@cord/ui';
import { useShell } from '../app/shell-context';
import { THEME_TEXTS } from '../theme/texts';
import { THEMES } from '../theme/theme';
import { useThemeChoice } from '../theme/use-theme-choice';
import { InstallRow } from './install-row';
import { Section } from './section';
import { SETTINGS_TEXTS } from './texts';

/** Theme and live motion, the same two as in the user menu. */
export function Appearance() {
  const t = useTexts(SETTINGS_TEXTS);
  const themes = useTexts(THEME_TEXTS);
  const { appearance } = useShell();
  const { theme, choose } = useThemeChoice();
  const liveMotion = useStore(appearance.liveMotion);
  return (
    <Section title={t.appearance} text={t.appearanceText}>
      <SettingRow title={themes.theme} help={t.themeHelp}>
        <ChipGroup
          label={themes.theme}
          value={theme}
          options={THEMES.map((value) => ({ value, label: themes[value] }))}
          onChange={choose}
        />
      </SettingRow>
      <Switch
        label={themes.liveMotion}
        help={t.liveMotionHelp}
        checked={liveMotion}
        onChange={appearance.setLiveMotion}
      />
      <InstallRow />
    </Section>
  );
}
