import { messageOf, useSdk, useTabParam, useToasts, useWrite } from '@cord/sdk';
import { useEffect, useRef } from 'react';
import { TRAIL } from './reads';
import { TEXTS } from './texts';

const TAB = 'admin';

/** An act that waits for its reason, in the address: it stands there again after a new sign-in. */
export function useChosen(name: string) {
  const { tabs } = useSdk();
  const [chosen, choose] = useTabParam(name);
  return {
    chosen,
    choose,
    /** It was done, which may be known late: what was chosen meanwhile stays. */
    finish(done: string): void {
      if (tabs.params.get()[TAB]?.[name] === done) choose(null);
    },
  };
}

/** As `useWrite`, for an act: the audit log has a line more, and the failure is shown where it was made, or by a toast where that has gone. */
export function useActWrite<Input, Answer>(...[operation, options]: Parameters<typeof useWrite<Input, Answer>>) {
  const { show } = useToasts();
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return useWrite<Input, Answer>(operation, {
    ...options,
    refresh: [...(options.refresh ?? []), TRAIL],
    onFailed(error) {
      options.onFailed?.(error);
      if (!isShown.current) show({ kind: 'error', title: TEXTS.get().lateFailure, text: messageOf(error, '') });
    },
  });
}
