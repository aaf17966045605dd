import * as userEndpoints from '@cord/contracts/addresses/users';
import { useSdk, useStore, useUserId, useWrite } from '@cord/sdk';
import { useShell } from '../app/shell-context';
import { THEMES, type Theme } from './theme';

/** Returns the theme and its setters; the account stores it, too, for the next device. */
export function useThemeChoice(): { theme: Theme; choose(theme: Theme): void; next(): void } {
  const { appearance } = useShell();
  const { session, queries } = useSdk();
  const theme = useStore(appearance.theme);
  const id = useUserId() ?? '';
  const key = ['theme', id];
  const onAnswer = () => {
    const { user } = session.state.get();
    const isLast = queries.isMutating({ mutationKey: key, exact: true }) === 1;
    if (user !== null && isLast) appearance.answered(id, user.theme);
  };
  // This device keeps the choice. If the account rejects it, other devices keep theirs, without a message.
  const save = useWrite(
    (api, chosen: Theme) => api.call(userEndpoints.update, { params: { id }, body: { theme: chosen } }),
    {
      key,
      queue: true,
      onDone: (_answer, chosen) => {
        session.merge({ id, theme: chosen });
        onAnswer();
      },
      onFailed: onAnswer,
    },
  );
  const choose = (chosen: Theme) => {
    appearance.setTheme(chosen);
    if (id === '') return;
    appearance.send(id, chosen);
    save.press(chosen);
  };
  const next = () => choose(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system');
  return { theme, choose, next };
}
