import { messageOf, useSdk, useTabParam, useToasts, useWrite } from '@cord/sdk';
import { useEffect, useRef } from 'react';
import { TRAIL } from './reads';
import { TEXTS } from './texts';

const TAB = 'admin';

/** The chosen act, kept in the URL, so that it is restored after a new sign-in. */
export function useChosen(name: string) {
  const { tabs } = useSdk();
  const [chosen, choose] = useTabParam(name);
  return {
    chosen,
    choose,
    /** The act has completed. A different act that was chosen meanwhile stays. */
    finish(done: string): void {
      if (tabs.params.get()[TAB]?.[name] === done) choose(null);
    },
  };
}

/** `useWrite` for an act: refreshes the audit log, and shows a failure in the act's panel, or by a toast if the panel is closed. */
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
