import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CallExpression, Expression, Node } from 'typescript/unstable/ast';
import {
  isCallExpression,
  isIdentifier,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
} from 'typescript/unstable/ast/is';
import { API, type Checker, type Project, type Type } from 'typescript/unstable/sync';
import { sourceFiles } from '../source-files.ts';
import { ROOT } from '../workspaces.ts';

const SERVICES = path.join(ROOT, 'services');
/** Matches files that may declare a collection. */
const MAY_DECLARE = /\bcollection[<(]/;

/**
 * Returns the stored fields as declared in code: those of the document type of each collection.
 * @param root the checkout
 * @returns fields by `service.collection`
 * @throws {Error} naming a declaration whose name or fields cannot be read
 */
export function storedFields(root = ROOT): Map<string, Set<string>> {
  const compiler = new API({ cwd: root });
  try {
    const [project] = compiler.updateSnapshot({ openProjects: [path.join(root, 'tsconfig.node.json')] }).getProjects();
    if (!project) throw new Error('tsconfig.node.json is not a project');
    return fieldsIn(project, path.join(root, 'services'));
  } finally {
    compiler.close();
  }
}

function fieldsIn({ program, checker }: Project, services: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const file of sources(services).filter((file) => MAY_DECLARE.test(readFileSync(file, 'utf8')))) {
    const service = path.relative(services, file).split(path.sep)[0];
    const source = program.getSourceFile(file);
    if (!source) throw new Error(`${file} is not in the program`);
    visit(source, (node) => {
      const declared = declaredBy(node, checker);
      if (!declared) return;
      if (declared.name === undefined || !declared.fields.includes('_id'))
        throw new Error(`${file}: cannot read name and document type from ${node.getText(source)}`);
      const name = `${service}.${declared.name}`;
      found.set(name, new Set([...(found.get(name) ?? []), ...declared.fields]));
    });
  }
  return found;
}

/** Returns the streams named in the manifests, and that of the dead letters. */
export function streamNames(): Set<string> {
  const folder = path.join(SERVICES, 'contracts');
  const text = [...sources(path.join(folder, 'manifests')), path.join(folder, 'events/streams.ts')]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  return new Set(text.match(/\bCORD_[A-Z]+\b/g));
}

/**
 * Parses `collection<T>({ name })` of the kit, or `store.collection<T>(name)` for the kit's own data. A call of the
 * latter with any name opens a collection declared elsewhere.
 */
function declaredBy(node: CallExpression, checker: Checker): { name: string | undefined; fields: string[] } | null {
  const isOpened = isPropertyAccessExpression(node.expression);
  const called = isOpened ? node.expression.name : node.expression;
  const [type] = node.typeArguments ?? [];
  const [argument] = node.arguments;
  if (!isIdentifier(called) || called.text !== 'collection' || !argument) return null;
  const name = stringOf(checker.getTypeAtLocation(nameIn(argument)));
  if (isOpened && name === undefined) return null;
  const documents = type && checker.getTypeFromTypeNode(type);
  const fields = documents ? checker.getPropertiesOfType(documents).map((property) => property.name) : [];
  return { name, fields };
}

/** Returns the value of `name` in an object; any other argument unchanged. */
function nameIn(argument: Expression): Expression {
  if (!isObjectLiteralExpression(argument)) return argument;
  const named = argument.properties.find(
    (one) => isPropertyAssignment(one) && isIdentifier(one.name) && one.name.text === 'name',
  );
  return named && isPropertyAssignment(named) ? named.initializer : argument;
}

/** Returns the text of a string literal type. */
function stringOf(type: Type | undefined): string | undefined {
  return type && 'value' in type && typeof type.value === 'string' ? type.value : undefined;
}

function visit(node: Node, seen: (call: CallExpression) => void): void {
  if (isCallExpression(node)) seen(node);
  node.forEachChild((child) => {
    visit(child, seen);
  });
}

function sources(folder = SERVICES): string[] {
  const files = sourceFiles(['**/*.ts', '!**/*.test.ts', '!**/{test,testing}/**'], folder);
  return files.map((file) => path.join(folder, file));
}
