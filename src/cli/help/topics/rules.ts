import type { Topic } from '../topic.ts';

export const rules: Topic = {
  title: 'Rules over calls and data, and the defaults',
  text: `
Rules stand in rules.json in your config folder. The file is yours: it is read as you save it, and written only when you change a default.

  plug rules
  plug rules check FILE
  plug config edit rules

A rule has a name, what it looks at, and what follows: allow, ask or deny. Whatever denies wins, then what asks.

  { "rules": [
    { "name": "no deletes", "when": { "tool": "*/delete_*" }, "then": "deny" }
  ] }

A file with a mistake is not used: the rules that were read last stay in force, and plug rules names the line.

DEFAULTS

Where no rule, grant or trust decides, a default does:

  plug config set call.unknown deny
  plug rules default call.write ask

  connect            a server that nobody has agreed to
  list               the tools of such a server
  call.read          a tool that only reads, on a trusted server
  call.write         a tool that changes something
  call.destructive   a tool that may destroy something: ask or deny
  call.unknown       any other tool
`,
};
