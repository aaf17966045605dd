import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';

/*
 * Preloaded into a process (node --import) to profile its work without its start: the first SIGUSR2 begins, the second ends
 * and writes PROFILE_DIR/work.cpuprofile.
 */

const session = new Session();
session.connect();
const { PROFILE_DIR: folder = '' } = process.env;
let running = false;

process.on('SIGUSR2', () => {
  if (!running) {
    running = true;
    session.post('Profiler.enable');
    session.post('Profiler.setSamplingInterval', { interval: 200 });
    session.post('Profiler.start');
    return;
  }
  session.post('Profiler.stop', (error, result) => {
    if (error) throw error;
    writeFileSync(join(folder, 'work.cpuprofile'), JSON.stringify(result.profile));
  });
});
