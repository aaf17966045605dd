import { useTabParam } from '@cord/sdk';
import { useEffect, useState } from 'react';

const TYPING_PAUSE_MS = 300;

export interface Search {
  /** As it stands in the field. */
  typed: string;
  /** What is searched for: as in the address, trimmed; a search for each key would be a call for each key. */
  term: string;
  type(text: string): void;
  /** At once, without the pause. */
  clear(): void;
}

/** What is searched for: in the address once the typing pauses, and in the field when a link or Back brings it. */
export function useSearch(): Search {
  const [param, setParam] = useTabParam('search');
  const term = param ?? '';
  const [draft, setDraft] = useState({ text: term, settled: true });
  useEffect(() => {
    if (draft.settled) return;
    const timer = setTimeout(() => {
      setParam(draft.text.trim() || null);
      setDraft({ ...draft, settled: true });
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft, setParam]);
  return {
    // Spaces that were typed stay; another term than the typed one comes from the address.
    typed: !draft.settled || draft.text.trim() === term ? draft.text : term,
    term,
    type: (text) => setDraft({ text, settled: false }),
    clear() {
      setDraft({ text: '', settled: true });
      setParam(null);
    },
  };
}
