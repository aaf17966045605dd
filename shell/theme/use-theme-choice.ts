import * as userEndpoints from '@cord/contracts/addresses/users';
import { useSdk, useStore } from '@cord/sdk';
import { useShell } from '../app/shell-context';
import { THEMES, type Theme } from './theme';

/** The theme in force and how to change it; the account keeps it too, for the next device. */
export function useThemeChoice(): { theme: Theme; choose(theme: Theme): void; next(): void } {
  const { appearance } = useShell();
  const { api, session } = useSdk();
  const theme = useStore(appearance.theme);
  const choose = (chosen: Theme) => {
    appearance.setTheme(chosen);
    const { user } = session.state.get();
    if (user === null) return;
    api
      .call(userEndpoints.update, { params: { id: user.id }, body: { theme: chosen } })
      .then(() => session.merge({ id: user.id, theme: chosen }))
      // The device keeps the choice; only other devices do not hear of it.
      .catch(() => undefined);
  };
  const next = () => choose(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system');
  return { theme, choose, next };
}
