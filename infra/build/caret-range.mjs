/**
 * Whether a version is in a range such as ^1.3.0: the same major, and not older. What stands behind a hyphen does not count.
 * @param {string} version
 * @param {string} range
 */
export function inCaretRange(version, range) {
  const [major = 0, minor = 0, patch = 0] = parts(version);
  const [wantedMajor = 0, wantedMinor = 0, wantedPatch = 0] = parts(range.replace(/^\^/, ''));
  if (major !== wantedMajor) return false;
  return minor > wantedMinor || (minor === wantedMinor && patch >= wantedPatch);
}

function parts(version) {
  return version.split('-')[0].split('.').map(Number);
}
