/**
 * Whether a version is in a range such as ^1.3.0: the same major, and not older. Suffixes after a hyphen are ignored.
 */
export function inCaretRange(version: string, range: string): boolean {
  const [major = 0, minor = 0, patch = 0] = parts(version);
  const [wantedMajor = 0, wantedMinor = 0, wantedPatch = 0] = parts(range.replace(/^\^/, ''));
  if (major !== wantedMajor) return false;
  return minor > wantedMinor || (minor === wantedMinor && patch >= wantedPatch);
}

function parts(version: string): number[] {
  return version.replace(/-.*$/s, '').split('.').map(Number);
}
