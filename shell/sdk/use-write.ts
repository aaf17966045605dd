import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Api } from './api';
import { useSdk } from './sdk';
import type { Toast } from './toasts';

/** One write as the server takes it: `(api, input, idempotencyKey) => api.call(...)`. */
export type Operation<Input, Answer> = (api: Api, input: Input, idempotencyKey: string) => Promise<Answer>;

export interface WriteOptions<Input, Answer> {
  /** What it is, with the user's id in it: every component with the same key shows it under way. */
  key: readonly unknown[];
  /** Keys of the queries it makes old, here and in the other tabs, whether it went through or nobody knows. */
  refresh?: readonly (readonly unknown[])[];
  /** Presses while the same is under way are sent after it, one by one; without it they are the same press. */
  queue?: boolean;
  /** Shows the input at once. @returns what takes it back when it was refused */
  onPress?(input: Input): Promise<() => void>;
  /** This and what else follows the answer is left out once another user is signed in. */
  onDone?(answer: Answer, input: Input): void;
  onFailed?(error: Error): void;
  /** The toast after it; null for an answer or an error that stands on the page itself. */
  toast?: { done?(answer: Answer): Toast | null; failed?(error: Error): Toast | null };
}

/** What a component shows of a write. */
export interface WriteState<Input, Answer> {
  /**
   * Sends it; while the same is under way anywhere on the page, a further press is the same press, or waits for its turn (`queue`).
   * @param onDone after the one of the options
   */
  press(input: Input, onDone?: () => void): void;
  isPending: boolean;
  /** What this component sends; undefined while it sends nothing. */
  sending: Input | undefined;
  error: Error | null;
  data: Answer | undefined;
}

/** What is kept of a press until it is answered. */
interface Press {
  userId: string | undefined;
  takeBack: (() => void) | undefined;
}

/** The one hook behind every button that writes; retries, idempotency key and refreshing are those of `sdk.writes`. */
export function useWrite<Input, Answer>(
  operation: Operation<Input, Answer>,
  { key, refresh = [], queue = false, onPress, onDone, onFailed, toast = {} }: WriteOptions<Input, Answer>,
): WriteState<Input, Answer> {
  const sdk = useSdk();
  const queries = useQueryClient();
  const show = (shown: Toast | null | undefined) => shown && sdk.toasts.show(shown);
  const userIdNow = () => sdk.session.state.get().user?.id;
  /** What one user meant is nothing to the next, who may be signed in by now. */
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
    // After what the answer itself has put right, so that a quick reading is not put on top of it once more.
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
