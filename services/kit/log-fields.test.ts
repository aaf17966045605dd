import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { FURTHER_FIELDS, logLine } from './log-schema.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LEVELS = /^(trace|debug|info|warn|error|fatal|child)$/;
const known = new Set<string>([...Object.keys(logLine.shape), ...FURTHER_FIELDS]);

/** Names of the fields that a source hands to a log, where it writes them out. */
function fieldsLogged(file: string, text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { name, expression } = node.expression;
      const fields = node.arguments[0];
      if (
        LEVELS.test(name.text) &&
        /log$/i.test(expression.getText(source)) &&
        fields &&
        ts.isObjectLiteralExpression(fields)
      ) {
        found.push(...fields.properties.flatMap((property) => property.name?.getText(source) ?? []));
      }
    }
    ts.forEachChild(node, visit);
  };
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false);
  visit(source);
  return found;
}

it('every field that services and gateway write into their log is in its schema', () => {
  const listed = execFileSync('git', ['ls-files', 'services', 'infra/gateway'], { cwd: ROOT, encoding: 'utf8' });
  const sources = listed.split('\n').filter((file) => file.endsWith('.ts') && !/\.test\.ts$|\/test(ing)?\//.test(file));
  const unknown: string[] = [];
  let seen = 0;
  for (const file of sources) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    if (!/log\??\.(trace|debug|info|warn|error|fatal|child)\(/i.test(text)) continue;
    const fields = fieldsLogged(file, text);
    seen += fields.length;
    unknown.push(...fields.filter((name) => !known.has(name)).map((name) => `${name} in ${file}`));
  }
  expect(seen).toBeGreaterThan(80);
  expect(unknown).toEqual([]);
});
