import { basename, dirname, join } from 'node:path';
import { isObject } from '../../base/json.ts';
import type { EntryAddress, Machine, OffFile } from './client.ts';
import { valueAt } from './documents/document.ts';

/** Claude Code keeps what was rejected or switched off per project, and rejections in its settings too. */
export function claudeSwitches({ home, cwd, env }: Machine): readonly OffFile[] {
  const folder = env['CLAUDE_CONFIG_DIR'];
  const settings = [
    join(folder ?? join(home, '.claude'), 'settings.json'),
    join(cwd, '.claude', 'settings.json'),
    join(cwd, '.claude', 'settings.local.json'),
  ];
  return [
    {
      path: join(folder ?? home, '.claude.json'),
      isOff: (content, { key, scope, project }) => {
        const here = valueAt(content, ['projects', project ?? cwd]);
        if (lists(here, 'disabledMcpServers', key) || lists(content, 'disabledMcpServers', key)) return true;
        return scope === 'project' && lists(here, 'disabledMcpjsonServers', key);
      },
    },
    ...settings.map((path): OffFile => ({
      path,
      isOff: (content, { key, scope }) =>
        scope === 'project' && lists(content, 'disabledMcpjsonServers', key),
    })),
  ];
}

/** Gemini CLI compares names without case; those of extensions have a prefix, or not in older files. */
export function geminiSwitches({ home, cwd }: Machine): readonly OffFile[] {
  const folder = join(home, '.gemini');
  const settings = [folder, join(cwd, '.gemini')].map((place): OffFile => ({
    path: join(place, 'settings.json'),
    isOff: (content, entry) => {
      const has = (field: string): boolean | undefined => {
        const list = valueAt(content, ['mcp', field]);
        if (!Array.isArray(list) || list.length === 0) return undefined;
        return list.some((name: unknown) => typeof name === 'string' && namesOf(entry).has(plainName(name)));
      };
      return has('excluded') === true || has('allowed') === false;
    },
  }));
  return [
    ...settings,
    {
      path: join(folder, 'mcp-server-enablement.json'),
      isOff: (content, entry) =>
        isObject(content) &&
        Object.entries(content).some(
          ([name, state]) =>
            isObject(state) && state['enabled'] === false && namesOf(entry).has(plainName(name)),
        ),
    },
    {
      path: join(folder, 'extensions', 'extension-enablement.json'),
      isOff: (content, entry) => isExtensionOff(content, extensionOf(entry), cwd),
    },
  ];
}

function namesOf(entry: EntryAddress): ReadonlySet<string> {
  const extension = extensionOf(entry);
  const names = extension === undefined ? [entry.key] : [entry.key, `ext:${extension}:${entry.key}`];
  return new Set(names.map(plainName));
}

/** The last rule that fits the folder decides: `!/home/me/*` switches off below it. */
function isExtensionOff(content: unknown, extension: string | undefined, cwd: string): boolean {
  const rules = extension === undefined ? undefined : valueAt(content, [extension, 'overrides']);
  if (!Array.isArray(rules)) return false;
  const here = `${cwd.replaceAll('\\', '/')}/`;
  const last = rules.findLast((rule: unknown) => typeof rule === 'string' && fits(rule, here));
  return typeof last === 'string' && last.startsWith('!');
}

function fits(rule: string, folder: string): boolean {
  const path = rule.replace(/^!/, '');
  return path.endsWith('*') ? folder.startsWith(path.slice(0, -1)) : folder === path;
}

/** The folder of an extension is called as it is. */
export function extensionOf({ file }: Pick<EntryAddress, 'file'>): string | undefined {
  return basename(file) === 'gemini-extension.json' ? basename(dirname(file)) : undefined;
}

function plainName(name: string): string {
  return name.toLowerCase().trim();
}

function lists(content: unknown, field: string, name: string): boolean {
  const list = valueAt(content, [field]);
  return Array.isArray(list) && list.includes(name);
}
