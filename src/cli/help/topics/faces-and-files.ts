import type { FacesAndFiles } from '../topics.ts';

/** Where it is used from, and what it reads. */
export const facesAndFiles: Readonly<Record<FacesAndFiles, string>> = {
  gateway: `One entry for every MCP host

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
  plug gateway --read-only

Hosts that speak HTTP come to the port of the hub, each with a token of its own that opens the gateway and nothing else. It is shown once, with the address:

  plug host add cursor
  plug host add agent --profile triage --read-only
  plug host list
  plug host revoke cursor

What needs your yes asks in the host if it can show a form; else the call waits, and plug approvals shows it.
`,
  chat: `Talking to a model that uses your servers

  plug model
  plug chat
  plug chat --servers github,linear

A model is set once, with plug model; its key goes into the vault. Any endpoint that speaks as OpenAI does will do: Ollama, LM Studio, vLLM.

Type what you want. @github in the text names a server; without that, whichever the request needs is used. Calls that need your yes show a card, as plug call does.

  /help        every command of the chat
  /mcp         servers and tools: list, tools, status, doctor, add, …
  /servers     which servers the next question may use
  /model       another model
  /cost        what it has cost so far
  /save        write the conversation into a file

Ctrl-C stops the running call; twice leaves. Without a model all slash commands still work.

SEE ALSO

  plug help documents
`,
  documents: `Prompts in files, answered without questions

  plug run report.md
  plug run report.md -o answer.md
  plug run report.md --servers github,linear --yes-reads

A document is Markdown; what stands in it is the prompt. Front matter between two lines of --- may name the model, the servers and the grants that it needs:

  ---
  model: fast
  servers: [github]
  grants: [github/create_issue]
  ---

It never prompts. --yes-reads lets read-only tools run. What the document asks to be granted holds only with --accept-grants, and only for this run: a file may have been written by another person.

What would need an approval ends the run with exit code 3.

SEE ALSO

  plug help exit-codes
`,
  'config-files': `Which files are read, and in which order

Servers added with plug add live in the database. Others may stand in files that are yours: they are read, watched, and never written. The stronger one counts when two define the same name.

  1  the path in PLUG_MCP_CONFIG
  2  mcp.json in the folder you are in
  3  mcp.json in your config folder
  4  the database

  plug config          where all that is, and what came of it
  plug config path     only the folders
  plug config edit     opens your mcp.json, and checks it afterwards

A project's file may have been written by another person: each of its entries stays off until you trust it, exactly as it reads.

  plug trust

Comments and trailing commas are fine. A mistake stops nothing: plug list names the line, and the last good version stays in force. Beside your mcp.json may stand rules.json and registries.json.
`,
  environment: `The variables that count

  PLUG_HOME                  one folder for all our files
  PLUG_MCP_CONFIG            a config file that is stronger than the others
  PLUG_DATABASE_URL          PostgreSQL instead of the file in the data folder
  PLUG_PORT                  the hub's port on the loopback; else a free one
  PLUG_REGISTRIES            registries, as JSON; stronger than registries.json
  PLUG_REMOTE_ONLY           decline servers that would run on this machine
  PLUG_MASTER_KEY            the key of the vault, 32 bytes in base64
  PLUG_TEAM_SECRET           signs the sessions of a team: plug hub start --team
  PLUG_NO_KEYRING            do not use the keyring of the system
  PLUG_NO_FIRST_LOOKS        start no server only to learn its tools
  PLUG_CLIENT_METADATA_URL   our client metadata document, for signing in

They are read by the hub when it starts: after a change, plug hub restart. plug config shows what is set.

FOR THE COMMAND ITSELF

  NO_COLOR            no colours; --no-color does the same
  FORCE_COLOR         colours even in a pipe
  TERM=dumb           no colours, and no line that replaces itself
  COLUMNS             the width, where the terminal does not know it
  VISUAL, EDITOR      for plug config edit
  PAGER               for plug help TOPIC, on a terminal
  XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME

Servers do not see your environment, only a short list of it and what their definitions declare.
`,
  'exit-codes': `What a script can branch on

  0    it is done
  1    it failed, or the tool reported an error
  2    the command line makes no sense, or arguments do not fit
  3    approval or trust is needed, and there is no one to ask
  4    a sign-in is needed
  5    a server, or the hub, is not available
  6    there is no such server, tool, profile, result or id
  130  Ctrl-C

They never change their meaning. With --json the answer is one document on standard output; a failure is a document too:

  { "error": { "code": …, "message": …, "owner": …, "next": … } }

The owner says who can fix it: you, server, network, registry or plugboard. next is the command to type. What never ends, such as plug events -f, prints one JSON record a line.
`,
  troubleshooting: `From what you see to what to do

Every failure says what happened, who can fix it (owner) and what to do (next). Begin here:

  plug status
  plug doctor
  plug doctor SERVER

  asleep            nothing is wrong: it starts on first use
  degraded          plug status SERVER
  disabled          plug enable SERVER
  not trusted yet   plug trust SERVER
  needs sign-in     plug auth SERVER
  needs …           set the variable or file that it names
  crashed           plug logs SERVER, then plug restart SERVER
  quarantined       plug tools --audit, then plug tools approve SERVER/TOOL

A COMMAND IS NOT FOUND

Commands are looked up on the PATH of your login shell. If one works in your terminal and not here, give its whole path.

THE HUB

  plug hub status
  plug hub restart
  plug hub start --foreground

It has the environment of the shell that started it: after a change of PATH or of a variable, restart it. Its log is hub.log in the state folder: plug config path.
`,
  completion: `The Tab key in bash, zsh and fish

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
