import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from '../install-packages.ts';
import { answerOf, bin, type Plug } from './plug-command.ts';

type Shell = 'bash' | 'zsh' | 'fish';

/** Debian has bash; the others are installed where that can be done, and missed loudly elsewhere. */
export function installShells(shells: readonly Shell[]): void {
  const missing = shells.filter((shell) => spawnSync(shell, ['-c', 'true']).status !== 0);
  if (missing.length === 0) return;
  installPackages(missing, 'to test completion in them');
}

/** What a shell would insert or offer for this line, the cursor at its end. */
export async function tab(shell: Shell, plug: Plug, line: string): Promise<readonly string[]> {
  const folder = join(plug.home, 'bin');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'plug'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
  chmodSync(join(folder, 'plug'), 0o755);
  const env = {
    PATH: `${folder}:${process.env['PATH']}`,
    HOME: plug.home,
    PLUG_HOME: `${plug.home}/plug`,
    TERM: 'dumb',
    LINE: line,
  };
  const words = [...FLAGS[shell], '-c', DRIVERS[shell]];
  const { stdout, stderr } = await answerOf(spawn(shell, words, { cwd: plug.cwd, env, stdio: 'pipe' }));
  if (stderr.trim() !== '') throw new Error(`${shell}: ${stderr}`);
  return stdout.split('\n').filter((found) => found !== '');
}

const FLAGS: Readonly<Record<Shell, readonly string[]>> = {
  bash: ['--norc'],
  zsh: ['-f'],
  fish: ['--no-config'],
};

const DRIVERS: Readonly<Record<Shell, string>> = {
  // The words are broken as readline breaks them: at blanks, and around = and :.
  bash: `
eval "$(plug completion bash)"
COMP_LINE="$LINE"
COMP_POINT=\${#LINE}
mapfile -t COMP_WORDS < <(printf '%s' "$LINE" | grep -oE '[=:]+|[^ =:]+')
case "$LINE" in *' ') COMP_WORDS+=('') ;; esac
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
compopt() { :; }
_plug_complete
printf '%s\\n' "\${COMPREPLY[@]}"`,
  // A completion widget cannot run without a line editor: what it would add is printed instead.
  zsh: `
compdef() { :; }
_files() { print -r -- ':files'; }
compadd() {
  local -a added
  while (( $# )); do
    case "$1" in
      -a) added=("\${(@P)2}"); shift 2 ;;
      -d | -S) shift 2 ;;
      *) shift ;;
    esac
  done
  print -rl -- "\${(@q)added}"
}
eval "$(plug completion zsh)"
words=("\${(@z)LINE}")
[[ "$LINE" == *' ' ]] && words+=('')
CURRENT=\${#words}
_plug`,
  fish: `
plug completion fish | source
complete -C "$LINE"`,
};
