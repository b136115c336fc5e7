import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from '../install-packages.ts';
import { waitFor } from '../servers/start.ts';
import { answerOf, bin, type Plug } from './plug-command.ts';
import { startProgramInTerminal } from './typed-plug.ts';

type Shell = 'bash' | 'zsh' | 'fish';

/** Debian has bash; the others are installed where that can be done, and missed loudly elsewhere. */
export function installShells(shells: readonly Shell[]): void {
  const missing = shells.filter((shell) => spawnSync(shell, ['-c', 'true']).status !== 0);
  if (missing.length === 0) return;
  installPackages(missing, 'to test completion in them');
}

/** What a shell would insert or offer for this line, the cursor at its end. */
export async function tab(shell: Shell, plug: Plug, line: string): Promise<readonly string[]> {
  const env = { ...shellEnv(plug), TERM: 'dumb', LINE: line };
  const words = [...FLAGS[shell], '-c', DRIVERS[shell]];
  const { stdout, stderr } = await answerOf(spawn(shell, words, { cwd: plug.cwd, env, stdio: 'pipe' }));
  if (stderr.trim() !== '') throw new Error(`${shell}: ${stderr}`);
  return stdout.split('\n').filter((found) => found !== '');
}

/** The lines that a shell's own line editor holds after Tab at the end of each of these, as a person types them. */
export async function typeTabs(
  shell: Shell,
  plug: Plug,
  lines: readonly string[],
): Promise<readonly string[]> {
  const { file, words, text } = INTERACTIVE[shell];
  mkdirSync(join(plug.home, '.config', 'fish'), { recursive: true });
  writeFileSync(join(plug.home, file), text);
  const env = { ...shellEnv(plug), ZDOTDIR: plug.home, XDG_CONFIG_HOME: `${plug.home}/.config` };
  const typing = startProgramInTerminal(plug, [shell, ...words(join(plug.home, file))], env);
  await typing.says(/READY> /);
  const held: string[] = [];
  for (const [index, line] of lines.entries()) {
    // Ctrl-G writes the line that is being edited into a file; Ctrl-U empties it.
    typing.type(`${line}\t\u0007\u0015`);
    const written = (): readonly string[] => linesOf(join(plug.home, 'held'));
    await waitFor(() => written().length > index, 20_000);
    held.push(written()[index] ?? '');
  }
  typing.type('exit\r');
  await typing.answer;
  return held;
}

function linesOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

function shellEnv(plug: Plug): Record<'PATH' | 'HOME' | 'PLUG_HOME', string> {
  const folder = join(plug.home, 'bin');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'plug'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
  chmodSync(join(folder, 'plug'), 0o755);
  return {
    PATH: `${folder}:${process.env['PATH']}`,
    HOME: plug.home,
    PLUG_HOME: `${plug.home}/plug`,
  };
}

interface Interactive {
  readonly file: string;
  readonly words: (file: string) => readonly string[];
  readonly text: string;
}

const INTERACTIVE: Readonly<Record<Shell, Interactive>> = {
  bash: {
    file: '.bashrc',
    words: (file) => ['--noprofile', '--rcfile', file, '-i'],
    text: `PS1='READY> '
eval "$(plug completion bash)"
held() { printf '%s\\n' "$READLINE_LINE" >>"$HOME/held"; }
bind -x '"\\C-g": held'
`,
  },
  zsh: {
    file: '.zshrc',
    words: () => ['-d', '-i'],
    text: `PS1='READY> '
autoload -U compinit
compinit -u -D
eval "$(plug completion zsh)"
held() { print -r -- "$BUFFER" >>"$HOME/held" }
zle -N held
bindkey '^G' held
`,
  },
  fish: {
    file: '.config/fish/config.fish',
    words: () => ['-i'],
    text: `function fish_prompt
  printf 'READY> '
end
set fish_greeting
plug completion fish | source
bind \\cg 'printf "%s\\n" (commandline) >>$HOME/held'
`,
  },
};

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
