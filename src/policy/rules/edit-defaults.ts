import { applyEdits, modify, type FormattingOptions } from 'jsonc-parser';
import { defined } from '../../base/defined.ts';
import type { Effect, PolicyDefaults } from '../decision.ts';

export interface DefaultsChange {
  readonly connect?: Effect;
  readonly list?: Effect;
  readonly call?: Partial<PolicyDefaults['call']>;
}

/** The text with other defaults; comments, order and everything else stay as they are. */
export function editDefaults(text: string, change: DefaultsChange): string {
  const { call = {}, ...rest } = change;
  const paths = [
    ...Object.entries(rest).map(([name, effect]) => ({ path: [name], effect })),
    ...Object.entries(call).map(([risk, effect]) => ({ path: ['call', risk], effect })),
  ];
  const formattingOptions = formattingOf(text);
  return paths.reduce((edited, { path, effect }) => {
    if (effect === undefined) return edited;
    return applyEdits(edited, modify(edited, ['defaults', ...path], effect, { formattingOptions }));
  }, text);
}

/** What the file will say once it is changed so. */
export function changedDefaults(defaults: PolicyDefaults, change: DefaultsChange): PolicyDefaults {
  return {
    connect: change.connect ?? defaults.connect,
    list: change.list ?? defaults.list,
    call: { ...defaults.call, ...defined(change.call ?? {}) },
  };
}

/** New lines look like the old ones. */
function formattingOf(text: string): FormattingOptions {
  const indent = /\n([\t ]+)\S/.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}
