import { spawn } from 'node:child_process';

export interface AtTerminalOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** Opens a file in the user's editor and waits. A shell reads `editor`, which may have options. */
export function openEditor(
  file: string,
  { editor, ...options }: AtTerminalOptions & { readonly editor: string },
): Promise<boolean> {
  return runToEnd(`${editor} "$@"`, [file], 'inherit', options);
}

export function pageThrough(
  text: string,
  { pager, ...options }: AtTerminalOptions & { readonly pager: string },
): Promise<boolean> {
  return runToEnd(pager, [], text, options);
}

/** True once the program has ended well. It has the terminal to itself meanwhile, Ctrl-C included. */
function runToEnd(
  line: string,
  words: readonly string[],
  input: 'inherit' | (string & {}),
  { env, cwd }: AtTerminalOptions,
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', line, 'plug', ...words], {
      env: { ...env },
      cwd,
      stdio: [input === 'inherit' ? 'inherit' : 'pipe', 'inherit', 'inherit'],
    });
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
    child.stdin?.on('error', () => undefined); // a pager may be left before its end
    if (input !== 'inherit') child.stdin?.end(input);
  });
}
