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
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--text);font:15px/22px system-ui,sans-serif}
main{max-width:960px;margin:0 auto;padding:32px 16px 64px}h1{font-size:32px;line-height:38px}h2{margin:40px 0 12px;font-size:20px}
p{color:var(--text-2);max-width:70ch}a{color:var(--link)}nav a{margin-right:16px}
details{border:1px solid var(--line);border-radius:10px;background:var(--surface);margin:8px 0;padding:0 16px}
summary{cursor:pointer;padding:12px 0;display:flex;flex-wrap:wrap;gap:4px 12px;align-items:baseline}summary:focus-visible,a:focus-visible{outline:3px solid var(--link);outline-offset:2px}
b{min-width:56px;color:var(--accent)}code,pre{font:13px/19px ui-monospace,monospace}summary code{overflow-wrap:anywhere}summary span{color:var(--text-2)}
pre{overflow:auto;border-top:1px solid var(--line);margin:0 0 12px;padding-top:12px;color:var(--text-2)}h3{font-size:13px;margin:12px 0 4px}
`;

/** The API document as a page without scripts: one block for each call, by the service that answers it. */
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
