import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Api } from './api';
import { useSdk } from './sdk';
import type { Toast } from './toasts';

/** One write: `(api, input, idempotencyKey) => api.call(...)`. */
export type Operation<Input, Answer> = (api: Api, input: Input, idempotencyKey: string) => Promise<Answer>;

export interface WriteOptions<Input, Answer> {
  /** Key of the write, including the user's id; every component with the same key shows it as pending. */
  key: readonly unknown[];
  /** Keys of the queries to invalidate, here and in the other tabs, after success or an unknown outcome. */
  refresh?: readonly (readonly unknown[])[];
  /** Sends further presses one after another; by default they are ignored while one is pending. */
  queue?: boolean;
  /** Shows the input at once. @returns a function that reverts it after a refusal */
  onPress?(input: Input): Promise<() => void>;
  /** Skipped, like all that follows the response, once another user is signed in. */
  onDone?(answer: Answer, input: Input): void;
  onFailed?(error: Error): void;
  /** Toasts of the outcome; null when the page itself shows it. */
  toast?: { done?(answer: Answer): Toast | null; failed?(error: Error): Toast | null };
}

/** State of a write for a component. */
export interface WriteState<Input, Answer> {
  /**
   * Sends it. While the same write is pending anywhere on the page, a press is ignored or queued (`queue`).
   * @param onDone runs after the one of the options
   */
  press(input: Input, onDone?: () => void): void;
  isPending: boolean;
  /** The input this component is sending, else undefined. */
  sending: Input | undefined;
  error: Error | null;
  data: Answer | undefined;
}

/** Context of a press until its response. */
interface Press {
  userId: string | undefined;
  takeBack: (() => void) | undefined;
}

/** The hook behind every button that writes; `sdk.writes` handles retries, idempotency keys and invalidation. */
export function useWrite<Input, Answer>(
  operation: Operation<Input, Answer>,
  { key, refresh = [], queue = false, onPress, onDone, onFailed, toast = {} }: WriteOptions<Input, Answer>,
): WriteState<Input, Answer> {
  const sdk = useSdk();
  const queries = useQueryClient();
  const show = (shown: Toast | null | undefined) => shown && sdk.toasts.show(shown);
  const userIdNow = () => sdk.session.state.get().user?.id;
  /** Whether another user is signed in by now, to whom the write means nothing. */
  const isOfAnother = (press: Press | undefined) =>
    press?.userId !== undefined && userIdNow() !== undefined && press.userId !== userIdNow();
  const mutation = useMutation<Answer, Error, Input, Press>({
    mutationKey: key,
    ...(queue && { scope: { id: JSON.stringify(key) } }),
    mutationFn: (input) =>
      sdk.writes.send({ name: key, input, send: (api, idempotencyKey) => operation(api, input, idempotencyKey) }),
    onMutate: async (input) => ({ userId: userIdNow(), takeBack: await onPress?.(input) }),
    onSuccess: (answer, input, press) => {
      if (isOfAnother(press)) return;
      show(toast.done?.(answer));
      onDone?.(answer, input);
    },
    onError: (error, _input, press) => {
      if (isOfAnother(press)) return;
      press?.takeBack?.();
      show(toast.failed?.(error));
      onFailed?.(error);
    },
    // Runs after the response was applied, so that an older read does not overwrite it.
    onSettled: (_answer, _error, _input, press) => isOfAnother(press) || sdk.cache.invalidate(refresh),
  });
  return {
    press: (input, done) => {
      if (!queue && queries.isMutating({ mutationKey: key, exact: true }) > 0) return;
      mutation.mutate(input, done ? { onSuccess: done } : {});
    },
    isPending: useIsMutating({ mutationKey: key, exact: true }) > 0,
    sending: mutation.isPending ? mutation.variables : undefined,
    error: mutation.error,
    data: mutation.data,
  };
}
