// biome-ignore-all lint/suspicious/noTemplateCurlyInString: amounts of dollars have their sign before the brace.

/**
 * The design system's own texts. Components take their other texts by props. The page may replace
 * these with another language (`setUiTexts`); names in braces are placeholders.
 */
export const UI_TEXTS = {
  close: 'Close',
  cancel: 'Cancel',
  dismiss: 'Dismiss',
  retry: 'Retry',
  retrying: 'Retrying…',
  reload: 'Reload',
  loading: 'Loading',
  nothingLost: 'Your node and balance are not affected. Check your connection, then try again.',
  typeToConfirm: 'Type {text} to confirm',
  /** Name of the toast region; the list of the bell has the other name. */
  notifications: 'Messages',
  notification: 'Message',
  /** Appended to a name, for screen readers. */
  newTab: ' (opens in a new tab)',

  copy: 'Copy',
  copied: 'Copied',
  copyRefusedSelected: 'Your browser does not allow copying here. The text is selected.',

  why: 'Why this number?',
  whyAbout: 'Why this number? {about}',
  whyRate: 'What makes up your rate',
  whyFactor: 'Factor',
  whyAdds: 'Adds, CORD/min',

  mining: 'Mining',
  honor: 'Honor',
  you: 'You',
  'node.offline': 'OFFLINE',
  'node.starting': 'STARTING',
  'node.online': 'ONLINE',
  'node.stopping': 'STOPPING',
  'node.paused': 'PAUSED',
  'node.error': 'ERROR',

  unranked: 'Unranked',
  /** Thousands, millions, billions. */
  thousands: '{number}K|{number}M|{number}B',
  hashRate: '{number} H/s',
  percent: '{number}%',
  sol: '{number} SOL',
  usd: 'about ${usd}',
  usdEstimate: 'about ${usd}, estimate',
  usdQuoted: 'about ${usd}, quoted {ago}',
  year: '{number} year',
  years: '{number} years',
  yearsShort: '{number} y',
  'span.d': '{number} d',
  'span.h': '{number} h',
  'span.min': '{number} min',
  'span.s': '{number} s',
  epochLeft: '{d}d {h}h {m}m',
  justNow: 'just now',
  ago: '{span} ago',
};

export type UiTexts = Readonly<Record<keyof typeof UI_TEXTS, string>>;

let texts: UiTexts = UI_TEXTS;

/** Sets the language of the design system; mounted components change with their next render. */
export function setUiTexts(translated: UiTexts): void {
  texts = translated;
}

/** A text of the design system, with its placeholders filled in. */
export function uiText(key: keyof UiTexts, values: Readonly<Record<string, string | number>> = {}): string {
  return texts[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
