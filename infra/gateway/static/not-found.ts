import { languageOf } from '@cord/kit/http/language';
import type Koa from 'koa';
import { stylePolicy } from '../headers.js';

const TEXTS = {
  en: { title: 'Not found', text: 'There is nothing at this address', back: 'Back to CORD' },
  de: { title: 'Nicht gefunden', text: 'Unter dieser Adresse gibt es nichts', back: 'Zurück zu CORD' },
};
type Language = keyof typeof TEXTS;
const LANGUAGES = Object.keys(TEXTS);

/** The colours of storybook/ui/tokens.css. */
const STYLE = `
:root{color-scheme:light dark}
body{display:grid;place-content:center;min-height:100dvh;margin:0;padding:1.5rem;box-sizing:border-box;background:light-dark(#f2f5f1,#0a100e);color:light-dark(#12201a,#edf2ee);font:.9375rem/1.375rem system-ui,"Segoe UI","Noto Sans",sans-serif}
h1{margin:0 0 1rem;font-size:1.625rem;line-height:2rem}
a{color:light-dark(#0b5fae,#8cc8ff)}
`;
const POLICY = stylePolicy(STYLE);

function pageIn(language: Language): string {
  const { title, text, back } = TEXTS[language];
  return `<!doctype html>
<html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · CORD</title>
<style>${STYLE}</style>
<h1>${text}</h1><p><a href="/">${back}</a></p></html>
`;
}

/** Responds to an unknown address: a page for people, a short text for programs. */
export const notFoundPage: Koa.Middleware = (ctx) => {
  ctx.status = 404;
  ctx.set('cache-control', 'no-cache');
  if (ctx.accepts('text/plain', 'html') !== 'html') {
    ctx.body = 'Not found\n';
    return;
  }
  ctx.set('content-security-policy', POLICY);
  ctx.body = pageIn(languageOf(ctx, LANGUAGES) as Language);
};
