import { tmpdir } from 'node:os';
import { basename } from 'node:path';
import { ownTempFolder } from './temp-folder.mjs';

/** Tests that are run by vitest itself leave as little behind as those of `npm test`, which has given them a folder. */
export default function setup(): void {
  if (!basename(tmpdir()).startsWith('cord-')) ownTempFolder();
}
