interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
}

interface Document {
  info: { title: string; description: string };
  paths: Record<string, Record<string, Operation>>;
}

export const PAGE_STYLE = `
:root{color-scheme:dark light;--bg:#0a100e;--surface:#111916;--line:#26332e;--text:#edf2ee;--text-2:#b5c2bb;--accent:#f2ce86;--link:#8cc8ff}
@media (prefers-color-scheme:light){:root{--bg:#f2f5f1;--surface:#fff;--line:#d3dbd6;--text:#12201a;--text-2:#42524a;--accent:#6e4a00;--link:#0b5fae}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--text);font:.9375rem/1.375rem system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1rem 4rem}h1{font-size:2rem;line-height:2.375rem}h2{margin:2.5rem 0 .75rem;font-size:1.25rem}
p{color:var(--text-2);max-width:70ch}a{color:var(--link)}nav a{margin-right:1rem}
details{border:1px solid var(--line);border-radius:.625rem;background:var(--surface);margin:.5rem 0;padding:0 1rem}
summary{cursor:pointer;padding:.75rem 0;display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline}summary:focus-visible,a:focus-visible{outline:3px solid var(--link);outline-offset:2px}
b{min-width:3.5rem;color:var(--accent)}code,pre{font:.8125rem/1.1875rem ui-monospace,monospace}summary code{overflow-wrap:anywhere}summary span{color:var(--text-2)}
pre{overflow:auto;border-top:1px solid var(--line);margin:0 0 .75rem;padding-top:.75rem;color:var(--text-2)}h3{font-size:.8125rem;margin:.75rem 0 .25rem}
`;

/** Renders the API document as a page without scripts: one block per call, grouped by service. */
export function documentPage(document: Document): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))];
  const sections = tags.map(
    (tag) =>
      `<h2 id="${escaped(tag)}">${escaped(tag)}</h2>${operations
        .filter(({ operation }) => operation.tags.includes(tag))
        .map(block)
        .join('')}`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(document.info.title)} API</title><style>${PAGE_STYLE}</style></head><body><main><h1>${escaped(document.info.title)} API</h1><p>${escaped(document.info.description)}</p><p>${operations.length} calls under <code>/api</code>; the same for programs: <a href="/api/openapi.json">openapi.json</a></p><nav>${tags.map((tag) => `<a href="#${escaped(tag)}">${escaped(tag)}</a>`).join('')}</nav>${sections.join('')}</main></body></html>`;
}

function block({ method, path, operation }: { method: string; path: string; operation: Operation }): string {
  const body = operation.requestBody?.content['application/json']?.schema;
  const answer = Object.entries(operation.responses).find(([status]) => status.startsWith('2'));
  const schema = answer?.[1].content?.['application/json']?.schema;
  return `<details id="${escaped(operation.operationId)}"><summary><b>${method.toUpperCase()}</b><code>${escaped(path)}</code><span>${escaped(operation.summary)}</span></summary><p>${escaped(operation.description ?? '')}</p>${part('Parameters', operation.parameters?.length ? operation.parameters : undefined)}${part('Body', body)}${part(`Answer ${answer?.[0] ?? ''}`, schema)}</details>`;
}

function part(title: string, value: unknown): string {
  return value === undefined ? '' : `<h3>${escaped(title)}</h3><pre>${escaped(JSON.stringify(value, null, 2))}</pre>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
