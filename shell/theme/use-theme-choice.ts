import * as userEndpoints from '@cord/contracts/addresses/users';
import { useSdk, useStore, useUserId, useWrite } from '@cord/sdk';
import { useShell } from '../app/shell-context';
import { THEMES, type Theme } from './theme';

/** The theme in force and how to change it; the account keeps it too, for the next device. */
export function useThemeChoice(): { theme: Theme; choose(theme: Theme): void; next(): void } {
  const { appearance } = useShell();
  const { session } = useSdk();
  const theme = useStore(appearance.theme);
  const id = useUserId() ?? '';
  // The device keeps the choice; where the account does not take it, other devices keep theirs, and no message is shown.
  const save = useWrite(
    (api, chosen: Theme) => api.call(userEndpoints.update, { params: { id }, body: { theme: chosen } }),
    {
      key: ['theme', id],
      queue: true,
      onDone: (_answer, chosen) => session.merge({ id, theme: chosen }),
    },
  );
  const choose = (chosen: Theme) => {
    appearance.setTheme(chosen);
    if (id !== '') save.press(chosen);
  };
  const next = () => choose(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system');
  return { theme, choose, next };
}
