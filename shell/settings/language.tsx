import * as userEndpoints from '@cord/contracts/addresses/users';
import { LIKE_BROWSER } from '@cord/contracts/rules/locale';
import { dateFormat, useQueryClient, useSdk, useStore, useTexts } from '@cord/sdk';
import { ChipGroup, formatCord } from '@cord/ui';
import { useMutation } from '@tanstack/react-query';
import { LANGUAGE_NAMES } from '../languages/names';
import { LANGUAGE_TEXTS } from './language-texts';
import { Row, Section } from './section';
import { toastNotSaved } from './toast-failure';
import { SAVING } from './use-save-settings';

const NAMES: Readonly<Record<string, string>> = LANGUAGE_NAMES;
const SAMPLE = 1_234_567.89;
const MOMENT = dateFormat({ day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' });

/** The language of the account, and what follows from it (look-next.md, 9). */
export function Language() {
  const t = useTexts(LANGUAGE_TEXTS);
  const { clock, session } = useSdk();
  const chosen = useStore(session.state).user?.locale.split('-')[0] ?? LIKE_BROWSER;
  const choose = useChoice();
  const options = [{ value: LIKE_BROWSER, label: t.likeBrowser }];
  for (const [value, label] of Object.entries(NAMES)) options.push({ value, label });
  return (
    <Section title={t.title} text={t.text}>
      <Row title={t.language} help={t.languageHelp}>
        <ChipGroup
          label={t.language}
          value={chosen in NAMES ? chosen : LIKE_BROWSER}
          options={options}
          onChange={choose}
        />
      </Row>
      <Row title={t.formats} help={t.formatsHelp({ number: formatCord(SAMPLE), date: MOMENT.format(clock.now()) })} />
      <Row title={t.times} help={t.timesHelp} />
    </Section>
  );
}

/** The page speaks the new language as soon as the account has it. */
function useChoice(): (locale: string) => void {
  const { api, session, toasts } = useSdk();
  const queries = useQueryClient();
  const save = useMutation({
    mutationKey: SAVING,
    mutationFn: (locale: string) => {
      const id = session.state.get().user?.id ?? '';
      return api.call(userEndpoints.update, { params: { id }, body: { locale } }).then(() => {
        session.merge({ id, locale });
        // What the server writes is in the language of before.
        void queries.invalidateQueries();
      });
    },
    onError: (error) => toastNotSaved(toasts, error),
  });
  return save.mutate;
}
