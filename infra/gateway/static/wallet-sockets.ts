/** Origin of the mobile wallet protocol's connection to the wallet app of this phone; its port is any of 49152 to 65535. */
const ON_THIS_PHONE = 'ws://localhost:*';

/**
 * Returns the WebSocket origins allowed for wallets: on Android the phone's wallet app, elsewhere the operator's
 * reflector if there is one. Otherwise none (`connect-src 'self'`).
 */
export function walletSockets(reflector: string | undefined): (userAgent: string) => readonly string[] {
  const elsewhere = reflector === undefined ? [] : [`wss://${reflector}`];
  return (userAgent) => (/android/i.test(userAgent) ? [ON_THIS_PHONE] : elsewhere);
}
