import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { scratch } from '@cord/kit/testing/scratch';
import { until } from '../../test/kit/until.ts';
import { natsBinary, ownNats } from '../starter/nats.ts';
import { freePorts } from '../starter/ports.ts';

/** Starts the NATS server of a running system with its configuration, in its own folder. */
export async function startOwnNats() {
  const { folder, stop } = await scratch();
  const [port] = await freePorts(1);
  const { command, args, isReady, ...addresses } = await ownNats({ dataDir: folder, port, binary: await natsBinary() });
  const server = spawn(command, args, { stdio: 'ignore' });
  await until('NATS listens', isReady);
  return {
    ...addresses,
    folder,
    async stop() {
      server.kill();
      await once(server, 'exit');
      await stop();
    },
  };
}
