import type { Topic } from '../topic.ts';

export const secrets: Topic = {
  title: 'Keys, the vault, and signing in',
  text: `
A definition never holds a key: it holds the name of one. The key itself is sealed in the vault, or stays in your environment, your file or your password manager.

  plug secrets set github/TOKEN
  plug secrets list
  plug secrets rm github/TOKEN

A key is typed unseen, or comes on standard input; never on the command line. In a definition:

  \${vault:github/TOKEN}      from the vault
  \${GITHUB_TOKEN}            a variable of the hub
  \${file:~/.keys/github}     the text of a file
  \${command:op read op://…}  what a password manager prints

Keys that stand readable in a file of another client are moved into the vault by plug import; the other file is left alone.

SIGNING IN

  plug auth linear
  plug auth github --account work
  plug auth list
  plug auth logout github

Without a browser on this machine, open the printed address anywhere and paste the last one back.

THE KEY OF THE VAULT

It is in the keyring of your system; else behind a passphrase, in PLUG_MASTER_KEY, or in a file that only you can read. plug hub status tells, and this moves it:

  plug secrets rotate --to keyring
  plug secrets unlock
`,
};
