import { useStore } from '@cord/sdk';
import { useFront } from './use-front';

/** Renders the wallet's dialogs and adapters beside every page; empty until a wallet button was pressed. */
export function WalletHost() {
  const desk = useStore(useFront().opened);
  return desk && <desk.Host desk={desk} />;
}
