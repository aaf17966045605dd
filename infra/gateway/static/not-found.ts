import type Koa from 'koa';

const PAGE = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Not found - CORD</title>
<h1>There is nothing at this address</h1><p><a href="/">Back to CORD</a></p></html>
`;

/** An address that nobody answers: a page for people, a short text for programs. */
export const nothingHere: Koa.Middleware = (ctx) => {
  ctx.status = 404;
  ctx.set('cache-control', 'no-cache');
  ctx.body = ctx.accepts('text/plain', 'html') === 'html' ? PAGE : 'Not found\n';
};
