import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import { isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { foreignPlace } from '../../base/own-places.ts';
import { commandOf } from '../../base/remedy-command.ts';
import { readClientText } from '../../servers/clients/client-text.ts';
import type { OwnerId, SettingStore } from '../../servers/store.ts';
import { type ConfigWatch, watchConfigFiles } from '../../servers/watch.ts';
import { rulesSchema } from './schema.ts';
import { replaceFile } from './write-file.ts';

/** Where the text of the rules is kept. */
export interface RulesPlace {
  /** As it is shown before anything was read. */
  readonly path: string;
  read(): Promise<{ readonly path: string; readonly read: RulesText }>;
  write(text: string, at: { readonly path: string; readonly isNew: boolean }): Promise<void>;
  watch(onChange: () => void): ConfigWatch;
}

export type RulesText =
  | { readonly kind: 'ok'; readonly text: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly message: string };

/** The user's own file, with its schema beside it. */
export function rulesFolder(options: {
  readonly folder: string;
  readonly clock: Clock;
  readonly ids: Ids;
}): RulesPlace {
  const { folder, clock, ids } = options;
  const paths = rulesPaths(folder);
  return {
    path: paths[0],
    read: () => readRulesText(paths),
    write: async (text, { path, isNew }) => {
      if (isNew) await replaceFile(join(folder, SCHEMA_NAME), schemaText(), ids);
      await replaceFile(path, text, ids);
    },
    watch: (onChange) => watchConfigFiles({ paths, clock, onChange }),
  };
}

/** A row of their owner, for one of many. Who writes it elsewhere says so, and the rules are read again. */
export function storedRules(store: SettingStore, owner: OwnerId): RulesPlace {
  return {
    path: RULES,
    read: async () => {
      const { value } = (await store.getSetting(owner, RULES)) ?? {};
      if (value === undefined) return { path: RULES, read: { kind: 'missing' } };
      const text = isObject(value) ? value['text'] : undefined;
      if (typeof text === 'string') return { path: RULES, read: { kind: 'ok', text } };
      return unusable(RULES, 'The stored rules are not a text.');
    },
    write: (text) => store.putSetting(owner, { name: RULES, value: { text } }),
    watch: () => ({ close: () => undefined }),
  };
}

const RULES = 'rules';

/** Also kept in the repository. */
export function schemaText(): string {
  return `${JSON.stringify(rulesSchema, undefined, 2)}\n`;
}

export const SCHEMA_NAME = 'rules.schema.json';

function rulesPaths(folder: string): readonly [string, string] {
  return [join(folder, 'rules.json'), join(folder, 'rules.jsonc')];
}

async function readRulesText([first, second]: ReturnType<typeof rulesPaths>) {
  const [a, b] = await Promise.all([readClientText(first), readClientText(second)]);
  if (a.kind !== 'missing' && b.kind !== 'missing') {
    return unusable(first, `There is also ${second}: keep one of the two, so that no rule is overlooked.`);
  }
  const path = b.kind === 'missing' ? first : second;
  const found = b.kind === 'missing' ? a : b;
  if (found.kind === 'missing') return { path, read: found };
  const foreign = foreignPlace(path);
  if (foreign) return unusable(path, `${foreign.says}. ${commandOf(foreign.remedy)}`);
  if (found.kind === 'unreadable') return unusable(path, `The file cannot be used: ${found.reason}.`);
  if (found.text.length > limits.configBytesMax) {
    return unusable(path, `The file is longer than ${limits.configBytesMax} characters.`);
  }
  return { path, read: { kind: 'ok', text: found.text } as const };
}

function unusable(path: string, message: string): { readonly path: string; readonly read: RulesText } {
  return { path, read: { kind: 'unreadable', message } };
}
