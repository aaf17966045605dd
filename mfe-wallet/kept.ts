import { deviceStorage } from '@cord/sdk';

/** What this module kept on this device as JSON; null where there is nothing, or nothing that can be read. */
export function keptJson<T>(key: string): Partial<T> | null {
  try {
    return JSON.parse(deviceStorage.getItem(key) ?? 'null') as Partial<T> | null;
  } catch {
    return null;
  }
}
