import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Api } from './api';
import { useSdk } from './sdk';

/** A write as a component offers it. */
export interface KeyedMutation<Input, Answer> {
  /** What it is, with the user's id in it: every component with the same name shows it under way. */
  name: readonly unknown[];
  send(api: Api, input: Input, idempotencyKey: string): Promise<Answer>;
  /** Keys of the queries it makes old, here and in the other tabs, whether it went through or nobody knows. */
  refresh?: readonly (readonly unknown[])[];
  onSuccess?(answer: Answer): void;
  onError?(error: Error): void;
}

/** What a component shows of a write. */
export interface Sending<Input, Answer> {
  /** Sends it; while the same is under way anywhere on the page, a further press is the same press. */
  press(input: Input): void;
  isPending: boolean;
  error: Error | null;
  data: Answer | undefined;
}

/** The one hook behind every button that writes; patience, key and refreshing are those of `sdk.writes`. */
export function useKeyedMutation<Input, Answer>(write: KeyedMutation<Input, Answer>): Sending<Input, Answer> {
  const sdk = useSdk();
  const queries = useQueryClient();
  const { name, refresh = [] } = write;
  const mutation = useMutation<Answer, Error, Input>({
    mutationKey: name,
    mutationFn: (input) => sdk.writes.send({ name, input, send: (api, key) => write.send(api, input, key) }),
    ...(write.onSuccess ? { onSuccess: (answer) => write.onSuccess?.(answer) } : {}),
    ...(write.onError ? { onError: (error) => write.onError?.(error) } : {}),
    // After what the answer itself has put right, so that a quick reading is not put on top of it once more.
    onSettled: () => sdk.cache.invalidate(refresh),
  });
  return {
    press: (input) => {
      if (queries.isMutating({ mutationKey: name, exact: true }) === 0) mutation.mutate(input);
    },
    isPending: useIsMutating({ mutationKey: name, exact: true }) > 0,
    error: mutation.error,
    data: mutation.data,
  };
}
