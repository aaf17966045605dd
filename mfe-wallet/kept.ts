import { deviceStorage } from '@cord/sdk';

/** Reads JSON that this module stored on this device; null if it is missing or invalid. */
export function keptJson<T>(key: string): Partial<T> | null {
  try {
    return JSON.parse(deviceStorage.getItem(key) ?? 'null') as Partial<T> | null;
  } catch {
    return null;
  }
}
