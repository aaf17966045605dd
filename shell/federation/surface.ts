import { inCaretRange } from '@cord/build/caret-range.ts';
import * as sdk from '@cord/sdk';
import * as ui from '@cord/ui';
import { RUNTIME_VERSION } from './sdk-version';

/** What a module's manifest shows that it takes of the shell (infra/build/module-surface.ts); builds of before show nothing. */
export interface Surface {
  /** Names that it imports. */
  sdk?: string[];
  ui?: string[];
  /** Range of the federation runtime. */
  runtime?: string;
}

/* What is not here yet when a module is looked at, by name. */
const VIEWS: Record<keyof typeof import('@cord/sdk/views'), true> = { AsLeft: true, SharedCard: true };
const OVERLAYS: Record<keyof ui.Overlays, true> = {
  ConfirmDialog: true,
  Dialog: true,
  MenuContent: true,
  MenuItem: true,
  MenuRule: true,
  QrCode: true,
  Sheet: true,
  SheetItem: true,
  SheetRule: true,
  ToastList: true,
  WhyContent: true,
};
const HERE = { sdk: { ...sdk, ...VIEWS }, ui: { ...ui, ...OVERLAYS } };

/** What this shell lacks of it, as a text for an engineer; null where it has all. */
export function lackingOf(surface: Surface | undefined): string | null {
  for (const short of ['sdk', 'ui'] as const) {
    const missing = (surface?.[short] ?? []).filter((name) => !(name in HERE[short]));
    if (missing.length > 0) return `takes ${missing.join(', ')} of @cord/${short}, which this shell does not have`;
  }
  const runtime = surface?.runtime;
  if (runtime === undefined || inCaretRange(RUNTIME_VERSION, runtime)) return null;
  return `wants the federation runtime ${runtime}, here is ${RUNTIME_VERSION}`;
}
