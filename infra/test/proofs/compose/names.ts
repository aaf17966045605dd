export const PUBLIC_ORIGIN = 'https://cord.example';
/** Hosts that answer in place of others, and the addresses of this machine at which they and the ingress are. */
export const OUTSIDE = ['discord.com', 'cdn.discordapp.com', 'solana.example'];
export const WORLD = '127.0.0.2';
export const INGRESS = '127.0.0.3';

/** What the store of the proof names as its version: none that the embedded server has. */
export const STORE_VERSION = '8.2.1';

/** The Discord account of the operator, made in May 2022. */
export const OPERATOR = {
  ...{ id: '979814940657319943', username: 'operator', globalName: null },
  ...{ avatar: null, secondFactor: true },
};
