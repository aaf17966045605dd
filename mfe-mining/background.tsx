import { useSdk } from '@cord/sdk';
import { useEffect } from 'react';
import { NodeAnnouncements } from './node-announcements';
import { nodeController } from './node-controller';
import { useAutoStart } from './use-auto-start';
import { useRateWatch } from './use-rate-watch';

/** What Mining does wherever a signed-in user is: it saves the node, starts it after a sign-in, announces it, follows the rate. */
export function Background() {
  const sdk = useSdk();
  useEffect(() => nodeController(sdk).saver.run(), [sdk]);
  useAutoStart();
  useRateWatch();
  return <NodeAnnouncements />;
}
