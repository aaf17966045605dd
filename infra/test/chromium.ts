import { requireBinary } from '../dev/starter/binaries.ts';

/** Debian's Chromium, or the one that CHROMIUM names. */
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** What playwright turns off by itself (its chromiumSwitches): a flag of ours takes the place of that. */
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
/** Pages of the address bar, which nobody sees: without them a new window costs a third less CPU time. */
const ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/**
 * Of every browser that journeys, stories and benchmarks drive: a container has no sandbox of its own, and nothing but what
 * is tested may use the network.
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

/** What playwright's `chromium.launch` takes; it is headless by itself. */
export const CHROMIUM_LAUNCH = { executablePath: CHROMIUM, args: CHROMIUM_FLAGS };

/**
 * Likewise for code that nobody has reviewed: in Chromium's sandbox, which root cannot have.
 * @param uid of this process
 */
export function sandboxedLaunch(uid: number | undefined = process.getuid?.()) {
  const args = CHROMIUM_FLAGS.filter((flag) => uid === 0 || flag !== '--no-sandbox');
  return { ...CHROMIUM_LAUNCH, args, chromiumSandbox: uid !== 0 };
}

/**
 * Chromium's path; as root on Debian it is installed when missing.
 * @throws {StartError} when it is not to be had
 */
export function chromiumBinary() {
  return requireBinary({
    name: 'chromium',
    debianPackage: 'chromium',
    otherwise: 'Install it, or run as root on Debian.',
  });
}
