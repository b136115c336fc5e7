import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { firstSentence, lineOf, shorten } from '../../catalog/about-server.ts';
import { describeForModel } from '../../catalog/describe.ts';
import { renderName } from '../../catalog/names.ts';
import { visibleTexts } from '../../catalog/visible-texts.ts';
import type { ToolView } from '../../hub/hub.ts';
import { partsOf } from './shown-tools.ts';
import { surfaceLimits } from './limits.ts';

/** Ours; a server's tool of that name is called by its full name. */
export const DESCRIBE = 'describe';

/** A name that isn't a plain word is shown in rendered form. */
export function operationName(tool: ToolView): string {
  if (tool.name === DESCRIBE) return tool.ref;
  return PLAIN.test(tool.name) ? tool.name : renderName(partsOf(tool), 'server__tool');
}

/** `create_issue(owner, repo, body?)` */
function shortSignature(tool: ToolView, name: string): string {
  // Flagged tools are not advertised.
  if (tool.flags.length > 0) return `${name} (flagged)`;
  const { shown, more } = parametersOf(tool);
  return `${name}(${[...shown, ...(more ? ['…'] : [])].join(', ')})`;
}

export function signatureLine(tool: ToolView, name: string = operationName(tool)): string {
  const text = firstSentence(lineOf(tool.description) || lineOf(tool.title));
  const says = tool.flags.length > 0 || text === '' ? '' : `: ${text}`;
  return shorten(`${shortSignature(tool, name)}${says}`, surfaceLimits.signatureCharsMax);
}

export function wholeDefinition(tool: ToolView, name: string): string {
  const flags = tool.flags.map(({ kind }) => kind);
  const { $schema: _dialect, ...inputSchema } = visibleTexts(schemaOf(tool));
  return JSON.stringify({
    name,
    description: describeForModel(tool),
    inputSchema,
    ...(flags.length === 0 ? {} : { flags: [...new Set(flags)] }),
  });
}

function schemaOf({ schema, definition }: ToolView): JsonObject {
  const own = definition['inputSchema'];
  return schema ?? (isObject(own) ? own : { type: 'object' });
}

/** Required first; only plain words, as they stand in our own text. */
function parametersOf(tool: ToolView): { readonly shown: readonly string[]; readonly more: boolean } {
  const { properties, required } = schemaOf(tool);
  const needed = new Set<Json>(Array.isArray(required) ? required : []);
  const names = isObject(properties) ? Object.keys(properties).filter((name) => PLAIN.test(name)) : [];
  const sorted = [
    ...names.filter((name) => needed.has(name)),
    ...names.filter((name) => !needed.has(name)).map((name) => `${name}?`),
  ];
  const most = surfaceLimits.operationParametersShown;
  return { shown: sorted.slice(0, most), more: sorted.length > most };
}

const PLAIN = /^[\w.-]{1,48}$/;

/** As many as fit, at least the first. */
export function wholeDefinitions(tools: readonly ToolView[], nameOf: (tool: ToolView) => string): string {
  const lines: string[] = [];
  let left: number = surfaceLimits.describedCharsMax;
  for (const [index, tool] of tools.entries()) {
    const line = wholeDefinition(tool, nameOf(tool));
    left -= line.length;
    if (left < 0 && index > 0) {
      const rest = tools.slice(index).map(nameOf).join(', ');
      return [...lines, `[Too long for one answer. Ask again for: ${rest}]`].join('\n');
    }
    lines.push(left < 0 ? `${line.slice(0, surfaceLimits.describedCharsMax)}\n[Cut: it is too long.]` : line);
  }
  return lines.join('\n');
}
