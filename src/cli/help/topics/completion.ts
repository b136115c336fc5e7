import type { Topic } from '../topic.ts';

export const completion: Topic = {
  title: 'The Tab key in bash, zsh and fish',
  text: `
Commands, options and their values complete; so do the names of servers, tools, profiles and accounts, as long as a hub runs. Completing never starts a hub or a server.

BASH

Put this into ~/.bashrc:

  eval "$(plug completion bash)"

ZSH

Put this into ~/.zshrc, after compinit:

  eval "$(plug completion zsh)"

FISH

  plug completion fish > ~/.config/fish/completions/plug.fish

Descriptions show in zsh and fish. Names come from servers, which are strangers: control characters never reach the shell, and what would need it is quoted.
`,
};
