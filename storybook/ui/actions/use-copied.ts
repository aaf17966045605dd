import { useEffect, useState } from 'react';

/** How long "Copied" stays. */
const FEEDBACK_MS = 2000;

export type CopyState = 'idle' | 'copied' | 'failed';

/** Copies a text and shows the outcome for 2 s. */
export function useCopied(): { state: CopyState; copy: (text: string) => Promise<boolean> } {
  const [result, setResult] = useState<{ state: CopyState }>({ state: 'idle' });
  useEffect(() => {
    if (result.state === 'idle') return;
    const timer = setTimeout(() => setResult({ state: 'idle' }), FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async (text: string) => {
    const ok = await write(text);
    // A new object each time restarts the 2 s.
    setResult({ state: ok ? 'copied' : 'failed' });
    return ok;
  };
  return { state: result.state, copy };
}

async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
