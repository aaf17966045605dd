import { useStore } from '@cord/sdk';
import { useFront } from './use-front';

/** The one place of the wallet's dialogs and adapters, beside every page; nothing until a button for them was pressed. */
export function WalletHost() {
  const desk = useStore(useFront().opened);
  return desk && <desk.Host desk={desk} />;
}
