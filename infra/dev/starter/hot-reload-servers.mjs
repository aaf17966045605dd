/** The process of the hot-reload servers; tells its parent where they listen, and ends with it. */
import { startDevServers } from '@cord/build/dev-servers.mjs';

const [module] = process.argv.slice(2);
process.once('disconnect', () => process.exit(0));
try {
  const { shell, remote } = await startDevServers(module ? { module } : {});
  process.send({ shell, remote });
} catch (error) {
  process.send({ error: error.message });
}
