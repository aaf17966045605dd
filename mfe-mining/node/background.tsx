import { useSdk } from '@cord/sdk';
import { useEffect } from 'react';
import { useRateWatch } from '../rate/use-rate-watch';
import { NodeAnnouncements } from './node-announcements';
import { nodeController } from './node-controller';
import { useAutoStart } from './use-auto-start';

/** Background work of Mining while a user is signed in: saves the node, starts it after a sign-in, announces it, follows the rate. */
export function Background() {
  const sdk = useSdk();
  useEffect(() => nodeController(sdk).saver.run(), [sdk]);
  useAutoStart();
  useRateWatch();
  return <NodeAnnouncements />;
}
