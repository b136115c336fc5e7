import {
  blanksInArgument,
  blanksInHeader,
  blanksInText,
  blanksInUrl,
  blanksInVariable,
  type Blank,
} from '../entry/blanks.ts';
import { passedVariables, type PassedVariable } from '../entry/passed-variables.ts';
import { programAt } from '../entry/program-text.ts';
import type { Draft } from './view.ts';

export function needsOf(draft: Draft): readonly string[] {
  const names = new Set<string>(draft.asked ?? []);
  const add = (blanks: readonly Blank[]): void => blanks.forEach(({ name }) => names.add(name));
  if (draft.name !== null && /^<[^<>]+>$/.test(draft.name)) names.add(draft.name.slice(1, -1));
  if (draft.command !== undefined) add(blanksInText(draft.command));
  if (draft.cwd !== undefined) add(blanksInText(draft.cwd));
  const env = draft.env ?? {};
  const passed = passedVariables(draft);
  const program = programAt(draft);
  (draft.args ?? []).forEach((arg, index, args) => {
    const variable = passed.get(index);
    if (variable) add(blanksInPassed(variable, env));
    else
      add(
        blanksInArgument(arg, args[index - 1]).filter(({ name, kind }) =>
          kind === 'literal' ? index !== program : !Object.hasOwn(env, name),
        ),
      );
  });
  if (draft.url !== undefined) add(blanksInUrl(draft.url));
  for (const [name, value] of Object.entries(env)) add(blanksInVariable(name, value));
  for (const [name, value] of Object.entries(draft.headers ?? {})) add(blanksInHeader(name, value));
  return [...names];
}

function blanksInPassed(
  { name, value }: PassedVariable,
  env: Readonly<Record<string, string>>,
): readonly Blank[] {
  if (value !== undefined) return blanksInVariable(name, value);
  return Object.hasOwn(env, name) ? [] : [{ kind: 'literal', name, from: 0, to: name.length }];
}
