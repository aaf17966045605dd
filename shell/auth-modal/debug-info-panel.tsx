import { useTexts } from '@cord/sdk';
import { Button, Stack, useCopied, VisuallyHidden } from '@cord/ui';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useShell } from '../app/shell-context';
import { SHELL_VERSION } from '../app/shell-version';
import s from './auth-modal.module.css';
import type { ConnectState } from './connect-flow';
import { debugInfo } from './debug-info';
import { CONNECT_TEXTS } from './texts';

/** Discloses what helps support, to be read and copied; nothing secret is in it. */
export function DebugInfo({ state }: { state: ConnectState }) {
  const t = useTexts(CONNECT_TEXTS);
  const { sdk } = useShell();
  const [text, setText] = useState<string | null>(null);
  const { state: copied, copy } = useCopied();
  const disclose = () => {
    if (text !== null) return setText(null);
    const nowMs = Date.now();
    const facts = debugInfo(state, {
      location,
      navigator,
      storage: { local: works(() => localStorage), session: works(() => sessionStorage) },
      build: SHELL_VERSION,
      nowMs,
      clockOffsetMs: sdk.clock.now() - nowMs,
    });
    setText(JSON.stringify(facts, null, 2));
  };
  return (
    <>
      <button type="button" className={s.disclose} aria-expanded={text !== null} onClick={disclose}>
        <ChevronRight size={18} aria-hidden="true" />
        {t.debugInfo}
      </button>
      {text !== null && (
        <Stack gap={8} align="start" className={s.debug}>
          <pre data-testid="debug-info">{text}</pre>
          <Button size="sm" onClick={() => void copy(text)}>
            {copied === 'copied' ? t.copied : t.copy}
          </Button>
          <VisuallyHidden role="status">{copied === 'copied' && t.copied}</VisuallyHidden>
        </Stack>
      )}
    </>
  );
}

function works(open: () => Storage): boolean {
  try {
    return open().length >= 0;
  } catch {
    return false;
  }
}
