import { basename, dirname, sep } from 'node:path';
import { isObject } from '../../base/json.ts';
import type { Client, EntryAddress } from './client.ts';
import { extensionOf } from './switches.ts';

/** The entry with the client's own variables filled in; those without a value stay, and are reported at start. */
export function withClientVariables(client: Client, entry: unknown, address: EntryAddress): unknown {
  const values = client.variables?.(address);
  if (!values) return entry;
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value.replaceAll(
        /\$\{([A-Za-z]+|\/)\}/g,
        (whole, name: string) => textFor(values, name) ?? whole,
      );
    if (Array.isArray(value)) return value.map(fill);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner)]));
  };
  return fill(entry);
}

/** A folder's name is text: one that could be read as a placeholder is left alone. */
function textFor(values: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  return value?.includes('$') || value?.includes('{') ? undefined : value;
}

const SEPARATOR = { '/': sep, pathSeparator: sep };

export function editorVariables({ workspace }: EntryAddress): Readonly<Record<string, string | undefined>> {
  return {
    ...SEPARATOR,
    workspaceFolderBasename: workspace === undefined ? undefined : basename(workspace),
  };
}

/** Only in the file that an extension brings along. */
export function geminiVariables(entry: EntryAddress): Readonly<Record<string, string | undefined>> {
  if (extensionOf(entry) === undefined) return {};
  return { ...SEPARATOR, extensionPath: dirname(entry.file), workspacePath: entry.workspace };
}
