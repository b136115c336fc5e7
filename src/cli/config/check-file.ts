import { messageOf } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { OwnFile } from './own-files.ts';

/** What is wrong with the text of a file, with its place; undefined when it can be used. */
export async function mistakeIn(file: OwnFile, text: string): Promise<string | undefined> {
  switch (file) {
    case 'mcp': {
      const { parseConfigText } = await import('../../servers/config-text.ts');
      const parsed = parseConfigText(text);
      return parsed.kind === 'ok'
        ? undefined
        : `Line ${parsed.line}, column ${parsed.column}: ${parsed.reason}.`;
    }
    case 'rules': {
      const { parseRules } = await import('../../policy/rules/parse.ts');
      const parsed = await parseRules(text);
      const [first] = parsed.kind === 'ok' ? [] : parsed.problems;
      return first && `Line ${first.line}, column ${first.column}: ${first.message}`;
    }
    case 'registries':
    default:
      return mistakeInJson(text);
  }
}

function mistakeInJson(text: string): string | undefined {
  try {
    return isObject(JSON.parse(text)) ? undefined : 'It must hold one object: registries by their names.';
  } catch (error) {
    return `This is not JSON: ${messageOf(error)}.`;
  }
}
