import type { Toasts } from '@cord/sdk/host';
import { toast } from '@cord/ui';

/** The modules' toasts, drawn by the design system's Toaster: at most three, held while read (storybook/ui/README.md#feedback). */
export const toasts: Toasts = {
  show: ({ kind, title, text, durationMs }) =>
    void toast[kind](title, text === undefined ? { durationMs } : { description: text, durationMs }),
};
