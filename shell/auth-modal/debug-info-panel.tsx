import { useTexts } from '@cord/sdk';
import { Button, Stack, useCopied, VisuallyHidden } from '@cord/ui';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useShell } from '../app/shell-context';
import { SHELL_VERSION } from '../app/shell-version';
import s from './auth-modal.module.css';
import type { ConnectState } from './connect-flow';
import { CONNECT_TEXTS } from './texts';

/** Shows debug information for support, to read and copy; it contains no secrets. */
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
        <ChevronRight size={18} />
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

interface Environment {
  location: Pick<Location, 'origin' | 'pathname'>;
  navigator: Pick<Navigator, 'userAgent' | 'cookieEnabled' | 'onLine' | 'language'>;
  storage: { local: boolean; session: boolean };
  build: string;
  nowMs: number;
  /** The server's clock minus this device's, ms. */
  clockOffsetMs: number;
}

/** Returns information about a failed sign-in for support, without cookie, code, state, token or name. */
function debugInfo(state: ConnectState, env: Environment): Record<string, string | number | boolean> {
  return {
    time: new Date(env.nowMs).toISOString(),
    clockOffsetMs: Math.round(env.clockOffsetMs),
    build: env.build,
    origin: env.location.origin,
    path: env.location.pathname,
    status: state.status,
    error: state.status === 'error' ? state.key : 'none',
    online: env.navigator.onLine,
    cookies: env.navigator.cookieEnabled,
    localStorage: env.storage.local,
    sessionStorage: env.storage.session,
    language: env.navigator.language,
    browser: env.navigator.userAgent,
  };
}
