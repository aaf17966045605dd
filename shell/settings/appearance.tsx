import * as userEndpoints from '@cord/contracts/addresses/users';
import { LIKE_BROWSER } from '@cord/contracts/rules/locale';
import {
  dateFormat,
  formatTime,
  useMediaQuery,
  useSdk,
  useSessionValue,
  useStore,
  useTexts,
  useUserId,
  useWrite,
} from '@cord/sdk';
import { Button, ChipGroup, formatCord, Menu, SettingRow, Switch, VisuallyHidden } from '@cord/ui';
import { MenuItem } from '@cord/ui/overlays';
import { Check, ChevronDown, Languages } from 'lucide-react';
import { useEffect } from 'react';
import { useShell } from '../app/shell-context';
import { LANGUAGES } from '../languages';
import { install, installOffer, listenToInstallOffers } from '../offline/install';
import { THEME_TEXTS } from '../theme/texts';
import { THEMES } from '../theme/theme';
import { useThemeChoice } from '../theme/use-theme-choice';
import { INSTALL_TEXTS } from './install-texts';
import { LANGUAGE_TEXTS } from './language-texts';
import { Section } from './section';
import s from './settings.module.css';
import { SETTINGS_TEXTS } from './texts';
import { notSavedToast } from './toast-failure';
import { SAVING } from './use-save-settings';

/** Theme and live motion, as in the user menu. */
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

/** Offers to install the app if the browser supports it, or shows the manual steps; else nothing. */
function InstallRow() {
  useEffect(listenToInstallOffers, []);
  const t = useTexts(INSTALL_TEXTS);
  const offered = useStore(installOffer) !== null;
  const installed = useMediaQuery('(display-mode: standalone)');
  if (installed) return <SettingRow title={t.title} help={t.installed} />;
  if (offered) {
    return (
      <SettingRow title={t.title} help={t.offered}>
        <Button size="sm" onClick={() => void install()} data-testid="install">
          {t.install}
        </Button>
      </SettingRow>
    );
  }
  return isManualInstall() ? <SettingRow title={t.title} help={t.byHand} /> : null;
}

/** Whether only manual installation is possible: Safari on iOS, the only browser with `standalone`. */
function isManualInstall(): boolean {
  return 'standalone' in navigator;
}

const NAMES: Readonly<Record<string, { name: string; complete: string }>> = {
  en: { name: 'English', complete: 'complete' },
  ...LANGUAGES,
};
const SAMPLE = 1_234_567.89;
const DAY = dateFormat({ day: 'numeric', month: 'long', year: 'numeric' });

/** Language of the account, with examples of its formats. */
export function Language() {
  const t = useTexts(LANGUAGE_TEXTS);
  const { clock } = useSdk();
  const chosen = useSessionValue(({ user }) => user?.locale)?.split('-')[0] ?? LIKE_BROWSER;
  const choose = useChoice();
  const nowMs = clock.now();
  return (
    <Section title={t.title} text={t.text}>
      <SettingRow title={t.language} help={t.languageHelp}>
        <Choice chosen={chosen in NAMES ? chosen : LIKE_BROWSER} onChoose={choose} />
      </SettingRow>
      <SettingRow
        title={t.formats}
        help={t.formatsHelp({ number: formatCord(SAMPLE), date: `${DAY.format(nowMs)}, ${formatTime(nowMs)}` })}
      />
      <SettingRow title={t.times} help={t.timesHelp} />
    </Section>
  );
}

/** Lists each language by its own name, without a flag: a language is not a country. */
function Choice({ chosen, onChoose }: { chosen: string; onChoose: (locale: string) => void }) {
  const t = useTexts(LANGUAGE_TEXTS);
  const shown = NAMES[chosen]?.name ?? t.likeBrowser;
  return (
    <Menu
      trigger={
        <Button
          className={s.language}
          icon={<Languages />}
          trailingIcon={<ChevronDown />}
          aria-label={t.chosen({ language: shown })}
          data-testid="language"
        >
          <span className={s.languageName}>{shown}</span>
        </Button>
      }
    >
      {[LIKE_BROWSER, ...Object.keys(NAMES)].map((code) => {
        const isShown = code === LIKE_BROWSER ? browserLanguage() : code;
        const { name = '', complete } = NAMES[isShown] ?? {};
        const is = chosen === code;
        return (
          <MenuItem
            key={code}
            icon={is ? <Check /> : <span className={s.unchosen} />}
            aside={<span lang={isShown}>{code === LIKE_BROWSER ? name : complete}</span>}
            onSelect={() => onChoose(code)}
          >
            <span className={s.languageOption} lang={code === LIKE_BROWSER ? undefined : code}>
              {code === LIKE_BROWSER ? t.likeBrowser : name}
            </span>
            {is && <VisuallyHidden>{t.isChosen}</VisuallyHidden>}
          </MenuItem>
        );
      })}
    </Menu>
  );
}

/** Returns the first available language of the browser, as the page does. */
function browserLanguage(): string {
  const codes = navigator.languages.map((tag) => tag.split('-')[0] ?? '');
  return codes.find((code) => code in NAMES) ?? 'en';
}

/** Saves the language; the page changes once the account has it. */
function useChoice(): (locale: string) => void {
  const { session } = useSdk();
  const id = useUserId() ?? '';
  const save = useWrite((api, locale: string) => api.call(userEndpoints.update, { params: { id }, body: { locale } }), {
    key: [...SAVING, 'language', id],
    queue: true,
    onDone: (_answer, locale) => session.merge({ id, locale }),
    toast: { failed: notSavedToast },
  });
  return save.press;
}
