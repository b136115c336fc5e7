import type { LocalEndpoint } from '../definition.ts';

/** Options of interpreters whose next argument is a program. */
const CODE: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [/^(?:node|nodejs|bun)$/, /^(?:-e|-p|-pe|--eval|--print)$/],
  [/^deno$/, /^eval$/],
  [/^(?:python|pypy)[\d.]*$/, /^-[a-zA-Z]*c$/],
  [/^(?:ruby|perl)$/, /^-[a-zA-Z]*[eE]$/],
  [/^php$/, /^-r$/],
];

/**
 * The argument that is a whole program, such as that of `node -e`; -1: none is. Its brackets and dots are
 * those of a language, and no sample text.
 */
export function programAt({
  command = '',
  args = [],
}: Partial<Pick<LocalEndpoint, 'command' | 'args'>>): number {
  const name = (command.split(/[/\\]/).at(-1) ?? '').replace(/\.exe$/i, '');
  const option = CODE.find(([program]) => program.test(name))?.[1];
  // Behind its first word an interpreter reads no options: those are the program's own.
  const flag = args.findIndex((arg) => option?.test(arg) === true || !arg.startsWith('-'));
  return option?.test(args[flag] ?? '') === true ? flag + 1 : -1;
}
