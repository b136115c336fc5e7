import type { ParsedDocument, Syntax } from './document.ts';
import { parseElisp } from './elisp.ts';
import { parseJson } from './json.ts';
import { parseToml } from './toml.ts';
import { parseYaml } from './yaml.ts';

export function parseText(syntax: Syntax, text: string): ParsedDocument {
  return PARSERS[syntax](text);
}

const PARSERS: Readonly<Record<Syntax, (text: string) => ParsedDocument>> = {
  json: parseJson,
  yaml: parseYaml,
  toml: parseToml,
  elisp: parseElisp,
};
