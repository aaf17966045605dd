import { params } from '@cord/sdk';
import { defineTexts } from '../languages';

/** Texts of the network check in the settings. */
export const NETWORK_TEXTS = defineTexts('mining-network', {
  network: 'Network check',
  networkFailed: 'The network check could not be loaded',
  rateReduced: params('Your mining rate is reduced to {percent}%. You may appeal in Settings.'),
  networkClean: 'No other account mined from your network address in the last 30 days.',
  checked: params('Checked {day}, {time}.'),
});
