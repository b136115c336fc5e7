import type { Topic } from '../topic.ts';

export const gateway: Topic = {
  title: 'One entry for every MCP host',
  text: `
A host adds Plugboard as its only server and has all of yours, with your sign-ins and your approvals. This writes the entry into a client's own file, and keeps a copy of it:

  plug connect cursor
  plug disconnect cursor

By hand it is a server whose command is plug, with the one argument gateway.

HOW MUCH A MODEL SEES

  all       every tool
  servers   one tool for each server
  search    three tools that find, describe and call all others
  code      one tool that runs a script against all tools
  auto      the richest of the first three that fits; the default

  plug gateway --mode search
  plug gateway --profile triage
  plug gateway --server github

Hosts that speak HTTP use the port of the hub: plug hub status --json names the address and the file with the token.

What needs your yes asks in the host if it can show a form; else the call waits, and plug approvals shows it.
`,
};
