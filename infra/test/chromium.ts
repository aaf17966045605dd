import { requireBinary } from '../dev/starter/binaries.ts';

/** Path of Debian's Chromium, or CHROMIUM. */
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Features that playwright itself disables (its chromiumSwitches): our flag replaces playwright's. */
const OFF_BY_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];
/** Popups of the address bar, invisible here; without them a new window costs a third less CPU time. */
const ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/**
 * Flags of every browser for journeys, stories and benchmarks: containers have no sandbox, and only the tested code may
 * use the network.
 */
const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...OFF_BY_PLAYWRIGHT, ...ADDRESS_BAR].join()}`,
];

/** Options of playwright's `chromium.launch`, which is headless by default. */
export const CHROMIUM_LAUNCH = { executablePath: CHROMIUM, args: CHROMIUM_FLAGS };

/**
 * The same for unreviewed code: in Chromium's sandbox, which root cannot use.
 * @param uid of this process
 */
export function sandboxedLaunch(uid: number | undefined = process.getuid?.()) {
  const args = CHROMIUM_FLAGS.filter((flag) => uid === 0 || flag !== '--no-sandbox');
  return { ...CHROMIUM_LAUNCH, args, chromiumSandbox: uid !== 0 };
}

/**
 * Returns Chromium's path; as root on Debian, installs it when it is missing.
 * @throws {StartError} when it is not available
 */
export function chromiumBinary() {
  return requireBinary({
    name: 'chromium',
    debianPackage: 'chromium',
    otherwise: 'Install it, or run as root on Debian.',
  });
}
