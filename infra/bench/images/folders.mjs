import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DockerfileParser } from 'dockerfile-ast';
import { ROOT } from '../../dev/starter/paths.mjs';
import { directoryBytes } from './bytes.mjs';
import { copySources, FILE, targetOf } from './targets.mjs';

/**
 * Where there is no buildah: each RUN of the Dockerfile in an empty folder with the sources, and each image as a folder that this machine's Node runs. It shows
 * what the instructions do, and nothing of users, roots or libraries.
 * @param {string} work
 */
export function folderBuilder(work) {
  const sources = join(work, 'sources');
  const runs = readRuns();
  const run = (line, kind = '') => {
    const placed = line
      .replace(/^(--\S+\s+)+/, '')
      .replace(/"\$\{SERVICE\}"/, kind)
      .replace(/ \/runtime$/, ` ${join(work, 'runtime')}`)
      .replace(/ \/image$/, ` ${join(work, kind)}`)
      .replace(/ \/modules(?=\/)/, ` ${join(work, 'volume')}`);
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', placed], { cwd: sources, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${placed} ended with ${status}:\n${stdout}\n${stderr}`);
  };
  return {
    makeBase() {
      copySources(sources);
      for (const line of runs.get('build')) run(line);
    },
    async build(kind) {
      const target = targetOf(kind);
      for (const line of runs.get(`${target}-files`)) run(line, kind);
      const folder = join(work, kind);
      const Cmd = target === 'jobs' ? undefined : ['main.mjs'];
      return { kind, folder, bytes: directoryBytes(folder), config: { User: null, Env: [], Cmd } };
    },
    remove: () => {},
  };
}

/** What each stage runs, in order. @returns {Map<string, string[]>} */
function readRuns() {
  const instructions = DockerfileParser.parse(readFileSync(join(ROOT, FILE), 'utf8')).getInstructions();
  const found = new Map();
  let stage = '';
  for (const one of instructions) {
    if (one.getKeyword() === 'FROM') {
      stage = one.getBuildStage();
      found.set(stage, []);
    }
    if (one.getKeyword() === 'RUN') found.get(stage).push(one.getArgumentsContent().replace(/\\\n\s*/g, ''));
  }
  return found;
}
