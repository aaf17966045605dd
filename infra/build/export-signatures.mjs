import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { ROOT } from './workspaces.mjs';

/** What the design system shares with pictures that services draw counts as its own. */
const DRAWING = /^@cord\/contracts\/drawing\/(.+)$/;

/**
 * What a package exports, by name, as it is written: the signature of a function, the type of a value, a type with all of the package's own that it
 * names. Read without a type checker, in a fraction of a second; so a function of the contract says itself what it returns (components aside).
 * @param {string} dir the package's folder, with an index.ts that exports by name
 * @returns {Record<string, string>} sorted by name
 * @throws {Error} naming an export that does not say its type
 */
export function exportsOf(dir) {
  const files = new Map();
  const read = (file) => {
    if (!files.has(file)) files.set(file, readModule(file));
    return files.get(file);
  };
  const found = [...namesIn(read, path.join(dir, 'index.ts'))].map(([name, place]) => [name, place]);
  const untyped = found.filter(([, place]) => place && isUntyped(place)).map(([name]) => name);
  if (untyped.length > 0) throw new Error(`${dir}: ${untyped.join(', ')} must say the type of what it gives`);
  const signatures = found.map(([name, place]) => [name, place === null ? 'of a library' : signatureOf(read, place)]);
  return Object.fromEntries(signatures.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What is declared, imported and exported on from elsewhere in a file. */
function readModule(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ESNext, true, kindOf(file));
  const declared = new Map();
  const imported = new Map();
  const passedOn = [];
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) {
      const bindings = statement.importClause?.namedBindings;
      const from = fileOf(file, statement.moduleSpecifier.text);
      for (const { name, propertyName } of bindings && ts.isNamedImports(bindings) ? bindings.elements : [])
        imported.set(name.text, { from, name: (propertyName ?? name).text });
    } else if (ts.isExportDeclaration(statement)) {
      const from = statement.moduleSpecifier && fileOf(file, statement.moduleSpecifier.text);
      const { exportClause } = statement;
      if (exportClause && ts.isNamedExports(exportClause))
        for (const { name, propertyName } of exportClause.elements)
          passedOn.push({ from, name: (propertyName ?? name).text, as: name.text });
      else passedOn.push({ from, all: true });
    } else if (ts.isVariableStatement(statement)) {
      for (const each of statement.declarationList.declarations)
        declare(declared, each.name.getText(), each, statement);
    } else if (statement.name) declare(declared, statement.name.text, statement, statement);
  }
  return { file, source, declared, imported, passedOn };
}

function declare(declared, name, node, statement) {
  const exported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
  const before = declared.get(name);
  declared.set(name, { nodes: [...(before?.nodes ?? []), node], exported: exported || (before?.exported ?? false) });
}

/** Names that a file exports, each with the place of its declaration; null where that is a library. */
function namesIn(read, file) {
  const { declared, passedOn } = read(file);
  const names = new Map();
  for (const [name, { exported }] of declared) if (exported) names.set(name, { file, name });
  for (const { from, name, as, all } of passedOn) {
    if (all) for (const [each, place] of namesIn(read, from)) names.set(each, place);
    else names.set(as, from === null ? null : placeOf(read, from ?? file, name));
  }
  return names;
}

/** Where a name that a file knows is declared; null in a library. */
function placeOf(read, file, name) {
  const { declared, imported, passedOn } = read(file);
  if (declared.has(name)) return { file, name, nodes: declared.get(name).nodes };
  const from = imported.get(name) ?? passedOn.find(({ as }) => as === name);
  return from?.from ? placeOf(read, from.from, from.name) : null;
}

/** The signature, and behind it every type of the package that it names. */
function signatureOf(read, start) {
  const texts = new Map();
  const queue = [start];
  for (const { file, name } of queue) {
    const key = `${file} ${name}`;
    if (texts.has(key)) continue;
    const nodes = read(file).declared.get(name)?.nodes ?? [];
    const shown = nodes.map(shownOf);
    texts.set(key, shown.map((node) => print(node, read(file).source)).join(' '));
    for (const node of shown)
      for (const used of typesNamedIn(node)) {
        const place = placeOf(read, file, used);
        if (place !== null) queue.push(place);
      }
  }
  return [...texts.values()].join(' | ');
}

/** A declaration without what it does: no body, no initial value where the type is said. */
function shownOf(node) {
  const { factory } = ts;
  if (ts.isFunctionDeclaration(node))
    return factory.createFunctionDeclaration(
      undefined,
      undefined,
      node.name,
      node.typeParameters,
      taken(node),
      node.type,
      undefined,
    );
  if (ts.isVariableDeclaration(node))
    return factory.createVariableDeclaration(
      node.name,
      undefined,
      node.type,
      node.type ? undefined : shownValue(node.initializer),
    );
  if (ts.isClassDeclaration(node))
    return factory.createClassDeclaration(
      undefined,
      node.name,
      node.typeParameters,
      node.heritageClauses,
      node.members.map(memberOf),
    );
  return node;
}

/** Parameters without what a function does with them: the names that it takes out of one. */
function taken({ parameters }) {
  return parameters.map(({ dotDotDotToken, name, questionToken, type, initializer }) =>
    ts.factory.createParameterDeclaration(
      undefined,
      dotDotDotToken,
      ts.isIdentifier(name) ? name : 'given',
      questionToken ?? (initializer && type ? ts.factory.createToken(ts.SyntaxKind.QuestionToken) : undefined),
      type,
      type ? undefined : initializer,
    ),
  );
}

/** A value whose type is not said: functions by what they take, objects by what they have; words in them may change. */
function shownValue(value) {
  const { factory } = ts;
  if (ts.isArrowFunction(value))
    return factory.createArrowFunction(
      undefined,
      value.typeParameters,
      taken(value),
      value.type,
      undefined,
      factory.createBlock([]),
    );
  if (!ts.isObjectLiteralExpression(value)) return value;
  const shown = value.properties.map((each) =>
    ts.isPropertyAssignment(each)
      ? factory.createPropertyAssignment(
          each.name,
          ts.isStringLiteral(each.initializer) ? factory.createIdentifier('string') : shownValue(each.initializer),
        )
      : each,
  );
  return factory.createObjectLiteralExpression(shown);
}

function memberOf(member) {
  const { factory } = ts;
  if (ts.isMethodDeclaration(member))
    return factory.createMethodDeclaration(
      undefined,
      undefined,
      member.name,
      undefined,
      member.typeParameters,
      taken(member),
      member.type,
      undefined,
    );
  if (ts.isConstructorDeclaration(member))
    return factory.createConstructorDeclaration(undefined, taken(member), undefined);
  if (ts.isGetAccessorDeclaration(member))
    return factory.createGetAccessorDeclaration(undefined, member.name, [], member.type, undefined);
  return member;
}

/** A function that the compiler would have to work out; a component gives what is drawn, and a value says itself what it is. */
function isUntyped({ nodes = [] }) {
  return nodes.some((node) => ts.isFunctionDeclaration(node) && !node.type && /^[a-z]/.test(node.name?.text ?? ''));
}

function typesNamedIn(node) {
  const names = new Set();
  const visit = (each) => {
    if (ts.isTypeReferenceNode(each)) names.add(rootOf(each.typeName));
    if (ts.isExpressionWithTypeArguments(each) && ts.isIdentifier(each.expression)) names.add(each.expression.text);
    if (ts.isTypeQueryNode(each)) names.add(rootOf(each.exprName));
    ts.forEachChild(each, visit);
  };
  visit(node);
  return names;
}

const rootOf = (name) => (ts.isIdentifier(name) ? name.text : rootOf(name.left));

const printer = ts.createPrinter({ removeComments: true });

function print(node, source) {
  return printer.printNode(ts.EmitHint.Unspecified, node, source).replace(/\s+/g, ' ').trim();
}

/** A file of the package; null for what comes from elsewhere. */
function fileOf(importer, specifier) {
  const [, drawing] = DRAWING.exec(specifier) ?? [];
  if (!specifier.startsWith('.') && drawing === undefined) return null;
  const base = drawing
    ? path.join(ROOT, 'services/contracts/drawing', drawing)
    : path.resolve(path.dirname(importer), specifier);
  return ['.ts', '.tsx', '/index.ts'].map((end) => `${base}${end}`).find(existsSync) ?? null;
}

function kindOf(file) {
  return file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
}
