/** Shown when neither browser nor system of a device is known. */
export const UNKNOWN_DEVICE = 'Unknown device';

/** A language's texts for a device. */
interface DeviceTexts {
  of(parts: { browser: string; system: string }): string;
  unknown: string;
}

/** Translates a service's device text (`Chrome on Windows`, or as much as is known); names stay as they are. */
export function deviceIn(texts: DeviceTexts, device: string): string {
  const [, browser, system] = /^(\S+) on (\S+)$/.exec(device) ?? [];
  if (browser && system) return texts.of({ browser, system });
  return device === UNKNOWN_DEVICE ? texts.unknown : device;
}
