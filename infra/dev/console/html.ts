import type Koa from 'koa';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Markup that is already escaped. */
export class Html {
  constructor(readonly text: string) {}
}

/** Builds markup and escapes every value, except markup made by this function. */
export function html(parts: TemplateStringsArray, ...values: (string | number | Html | Html[])[]): Html {
  const text = parts.map((part, index) => part + (index < values.length ? rendered(values[index]) : '')).join('');
  return new Html(text);
}

function rendered(value: string | number | Html | Html[] | undefined): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map((one) => one.text).join('');
  return String(value ?? '').replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);
}

/**
 * Sends a page without scripts; its policy allows none.
 * @param formTargets origins to which a form's response may redirect
 */
export function sendPage(ctx: Koa.Context, status: number, page: Html, formTargets: readonly string[] = []): void {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ["form-action 'self'", ...formTargets].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  ctx.set('content-security-policy', policy.join('; '));
  ctx.set('cache-control', 'no-store');
  ctx.status = status;
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = page.text;
}

/** Wraps content in a whole page. */
export function wholePage(title: string, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/dev/assets/console.css">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
</head>
<body>
${content}
</body>
</html>
`;
}
