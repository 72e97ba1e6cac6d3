// Reads what the JSDoc comments of the engine declare: types, classes and functions, with their descriptions.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { projectRoot } from '../../../cpp/toolchain/paths.mjs';

const folder = path.join(projectRoot, 'web/core');

/**
 * @typedef {{ name: string, type: string, optional: boolean, description: string, signature?: Signature }} Property
 * @typedef {{ parameters: { name: string, type: string, optional: boolean }[], result: string }} Signature
 * @typedef {{ kind: 'object', name: string, parameters: string, description: string, properties: Property[] }} ObjectType
 * @typedef {{ kind: 'alias', name: string, parameters: string, description: string, type: string }} AliasType
 * @typedef {{ kind: 'class', name: string, parameters: string, description: string, properties: Property[] }} ClassType
 * @typedef {{ kind: 'function', name: string, description: string, signature: Signature }} FunctionType
 * @typedef {ObjectType | AliasType | ClassType | FunctionType} Declaration
 */

/** Everything that is declared in web/core, by name. @returns {Map<string, Declaration>} */
export function readDeclarations() {
  const found = new Map();
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js')).sort();
  for (const file of files) {
    const text = readFileSync(path.join(folder, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
    for (const statement of [...source.statements, source.endOfFileToken]) {
      const comments = statement.getChildren(source).filter(ts.isJSDoc);
      for (const declaration of [...comments.flatMap(readTypedefs), ...readExport(statement, comments.at(-1))]) {
        // The first one counts: the others are abbreviations of it, for use in another file.
        const earlier = found.get(declaration.name);
        if (!earlier || isAbbreviation(earlier)) found.set(declaration.name, declaration);
      }
    }
  }
  return found;
}

/** Whether it only says that a name is that of another file. @param {Declaration} declaration */
const isAbbreviation = (declaration) => declaration.kind === 'alias' && new RegExp(`^${declaration.name}(<\\w+>)?$`).test(declaration.type);

/** @param {string | ts.NodeArray<ts.JSDocComment> | undefined} comment */
const textOf = (comment) => (ts.getTextOfJSDocComment(comment) ?? '').trim();

/** Source text of a type on one line, without the stars of the comment, `readonly` and the files its names come from. @param {ts.Node | undefined} node */
function typeText(node) {
  const text = (node?.getText() ?? 'void').replace(/\n\s*\*/g, ' ').replace(/import\('[^']*'\)\./g, '').replace(/readonly /g, '').replace(/\s+/g, ' ').trim();
  return withoutParentheses(text);
}

/** `(number[])[]` is `number[][]`: what is left when `readonly` is taken away. @param {string} text @returns {string} */
function withoutParentheses(text) {
  const less = text.replace(/\((\w+(?:\[\])+)\)/g, '$1');
  return less === text ? text : withoutParentheses(less);
}

/** @param {ts.JSDoc} comment @returns {Declaration[]} */
function readTypedefs(comment) {
  const tags = [...(comment.tags ?? [])];
  const typedefs = tags.filter(ts.isJSDocTypedefTag);
  return typedefs.map((tag) => {
    const name = String(tag.name?.getText());
    const own = tags.filter(ts.isJSDocTemplateTag).flatMap((template) => template.typeParameters.map((parameter) => parameter.name.getText()));
    const parameters = own.length > 0 ? `<${own.join(', ')}>` : '';
    const description = [tag === typedefs.at(-1) ? textOf(comment.comment) : '', textOf(tag.comment)].filter(Boolean).join('\n\n');
    const type = tag.typeExpression;
    if (type && ts.isJSDocTypeLiteral(type)) {
      return { kind: 'object', name, parameters, description, properties: (type.jsDocPropertyTags ?? []).map(readProperty) };
    }
    return { kind: 'alias', name, parameters, description, type: typeText(type?.type) };
  });
}

/** @param {ts.JSDocPropertyLikeTag} tag @returns {Property} */
function readProperty(tag) {
  const type = tag.typeExpression?.type;
  return {
    name: tag.name.getText(),
    type: typeText(type),
    optional: tag.isBracketed,
    description: textOf(tag.comment).replace(/\n[ \t]+/g, '\n'),
    signature: type && ts.isFunctionTypeNode(type) ? readSignature(type) : undefined,
  };
}

/** With what a type parameter may be in place of its name. @param {ts.FunctionTypeNode} type @returns {Signature} */
function readSignature(type) {
  const generic = new Map((type.typeParameters ?? []).map((parameter) => /** @type {const} */ ([parameter.name.getText(), typeText(parameter.constraint)])));
  const plain = (/** @type {ts.TypeNode | undefined} */ node) =>
    [...generic].reduce((text, [name, bound]) => text.replaceAll(`<${name}>`, '').replace(new RegExp(`\\b${name}\\b`, 'g'), bound), typeText(node));
  return {
    parameters: type.parameters.map((parameter) => ({
      name: parameter.name.getText(),
      type: plain(parameter.type),
      optional: parameter.questionToken !== undefined,
    })),
    result: plain(type.type),
  };
}

/** An exported class or function. @param {ts.Node} statement @param {ts.JSDoc | undefined} comment @returns {Declaration[]} */
function readExport(statement, comment) {
  const exported = ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  if (!exported || !comment) return [];
  if (ts.isClassDeclaration(statement)) return [readClass(statement, comment)];
  if (ts.isFunctionDeclaration(statement)) return [readFunction(statement, comment)];
  return [];
}

/** @param {ts.FunctionDeclaration} node @param {ts.JSDoc} comment @returns {FunctionType} */
function readFunction(node, comment) {
  const returns = ts.getJSDocReturnTag(node);
  const tags = ts.getJSDocTags(node).filter(ts.isJSDocParameterTag);
  return {
    kind: 'function',
    name: String(node.name?.text),
    description: [textOf(comment.comment), textOf(returns?.comment)].filter(Boolean).join('\n\n'),
    signature: {
      parameters: tags.map((tag) => ({ name: tag.name.getText(), type: typeText(tag.typeExpression?.type), optional: tag.isBracketed })),
      result: typeText(returns?.typeExpression?.type),
    },
  };
}

/** Fields that its constructor describes, and methods. @param {ts.ClassDeclaration} node @param {ts.JSDoc} comment @returns {ClassType} */
function readClass(node, comment) {
  /** @type {Property[]} */
  const properties = [];
  for (const member of node.members) {
    const described = member.getChildren().find(ts.isJSDoc);
    if (ts.isMethodDeclaration(member)) {
      const result = typeText(ts.getJSDocReturnTag(member)?.typeExpression?.type);
      properties.push({ name: `${member.name.getText()}()`, type: result, optional: false, description: textOf(described?.comment) });
    }
    if (!ts.isConstructorDeclaration(member)) continue;
    const types = new Map(ts.getJSDocTags(member).filter(ts.isJSDocParameterTag).map((tag) => [tag.name.getText(), typeText(tag.typeExpression?.type)]));
    for (const statement of member.body?.statements ?? []) {
      const description = textOf(statement.getChildren().find(ts.isJSDoc)?.comment);
      const [, name, value] = /^this\.(\w+) = (?:.*\(')?(\w+)/.exec(statement.getText()) ?? [];
      if (name && description) properties.push({ name, type: types.get(value) ?? `'${value}'`, optional: false, description });
    }
  }
  const generic = ts.getJSDocTags(node).filter(ts.isJSDocTemplateTag).flatMap((tag) => tag.typeParameters.map((parameter) => parameter.name.getText()));
  return { kind: 'class', name: String(node.name?.text), parameters: generic.length > 0 ? `<${generic.join(', ')}>` : '', description: textOf(comment.comment), properties };
}
