import { useStore } from '@cord/sdk';
import { ChipGroup, Switch } from '@cord/ui';
import { useShell } from '../app/shell-context';
import { THEME_LABELS, THEMES } from '../theme/theme';
import { useThemeChoice } from '../theme/use-theme-choice';
import { Row, Section } from './section';

/** Theme and live motion, the same two as in the user menu. */
export function Appearance() {
  const { appearance } = useShell();
  const { theme, choose } = useThemeChoice();
  const liveMotion = useStore(appearance.liveMotion);
  return (
    <Section title="Appearance" text="How the page looks on this device.">
      <Row title="Theme" help="System follows your device.">
        <ChipGroup
          label="Theme"
          value={theme}
          options={THEMES.map((value) => ({ value, label: THEME_LABELS[value] }))}
          onChange={choose}
        />
      </Row>
      <Switch
        label="Live motion"
        help="The cord turns while your node runs. Off, numbers step on each save."
        checked={liveMotion}
        onChange={appearance.setLiveMotion}
      />
    </Section>
  );
}
