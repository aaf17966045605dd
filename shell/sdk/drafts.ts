import { useState } from 'react';
import { useUserId } from './node';
import { tabStorage } from './storage';

/** Storage key of all drafts of one user, by form. Drafts stay in this browser tab, since a letter is private. */
const KEY = 'cord.drafts';

interface Kept {
  userId: string;
  drafts: Record<string, Record<string, string>>;
}

function read(userId: string): Kept {
  try {
    const kept = JSON.parse(tabStorage.getItem(KEY) ?? 'null') as Partial<Kept> | null;
    if (kept?.userId === userId && typeof kept.drafts === 'object') return { userId, drafts: kept.drafts };
  } catch {
    // The stored value is not valid JSON.
  }
  return { userId, drafts: {} };
}

/** Deletes all drafts at sign-out. */
export function forgetDrafts(): void {
  tabStorage.removeItem(KEY);
}

/** The unsent contents of a form. */
export interface Draft<T> {
  typed: T;
  type(change: Partial<T>): void;
  /** Deletes the draft after it was sent. */
  clear(): void;
}

/**
 * Keeps the contents of a form over a change of tab, a reload and an expired session; sign-out deletes them.
 * @param name unique among all forms of all modules; it and `empty` are the same in every render
 */
export function useDraft<T extends Record<string, string>>(name: string, empty: T): Draft<T> {
  const userId = useUserId() ?? '';
  const [typed, setTyped] = useState<T>(() => ({ ...empty, ...read(userId).drafts[name] }));
  const keep = (draft: T | null) => {
    const { drafts } = read(userId);
    const { [name]: _old, ...others } = drafts;
    tabStorage.setItem(KEY, JSON.stringify({ userId, drafts: draft === null ? others : { ...others, [name]: draft } }));
    setTyped(draft ?? empty);
  };
  return {
    typed,
    type: (change: Partial<T>) => keep({ ...typed, ...change }),
    clear: () => keep(null),
  };
}
