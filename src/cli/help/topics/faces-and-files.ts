import type { FacesAndFiles } from '../topics.ts';

/** Where it is used from, and what it reads. */
export const facesAndFiles: Readonly<Record<FacesAndFiles, string>> = {
  gateway: `One entry for every MCP host

A host adds Plugboard as one server and gets all of yours, with your sign-ins and approvals. This adds the entry to a client's config file and keeps a backup:

  plug connect cursor
  plug disconnect cursor

To add it by hand, use “plug” as the command and “gateway” as its argument.

HOW MUCH A MODEL SEES

  all       every tool
  servers   one tool per server
  search    three tools that find, describe and call all others
  code      one tool that runs a script against all tools
  auto      chosen by token cost; the default

  plug gateway --mode search
  plug gateway --profile triage
  plug gateway --server github
  plug gateway --read-only

Hosts that use HTTP connect to the hub's port, each with its own token. The token opens only the gateway, and is shown once, with the URL:

  plug host add cursor
  plug host add agent --profile triage --read-only
  plug host list
  plug host revoke cursor

A call that needs approval asks in the host if the host can show a form. Otherwise it waits, and plug approvals lists it.
`,
  chat: `Chat with a model that uses your servers

  plug model
  plug chat
  plug chat --servers github,linear

Add a model once with plug model add; its key goes into the vault. Any OpenAI-compatible API works, such as Ollama, LM Studio or vLLM.

Type what you want. @github in a message chooses a server; otherwise the message uses the servers it needs. Calls that need approval show a card, as in plug call.

  /help        every command of the chat
  /mcp         servers and tools: list, tools, status, doctor, add, …
  /servers     choose the servers for the next messages
  /model       switch models
  /cost        show tokens and cost
  /save        save the conversation to a file

Ctrl-C stops the running answer; press it twice to leave. Slash commands also work without a model.

SEE ALSO

  plug help documents
`,
  documents: `Run prompts from files

  plug run report.md
  plug run report.md -o answer.md
  plug run report.md --servers github,linear --yes-reads

A document is a Markdown file that contains the prompt. Optional front matter between two lines of --- names the model, servers and grants:

  ---
  model: fast
  servers: [github]
  grants: [github/create_issue]
  ---

plug run never asks. --yes-reads runs read-only tools without asking. Grants in the file apply only with --accept-grants, and only to this run, because someone else may have written the file.

A call that needs approval ends the run with exit code 3.

SEE ALSO

  plug help exit-codes
`,
  'config-files': `Config files and their order

plug add saves servers in the database. You can also define servers in files: Plugboard reads and watches them, and never writes them. If two define the same name, the higher one in this list wins.

  1  the path in PLUG_MCP_CONFIG
  2  mcp.json in the folder you are in
  3  mcp.json in your config folder
  4  the database

  plug config          show the files and what they contain
  plug config path     show only the folders
  plug config edit     edit your mcp.json, and check it

Someone else may have written a project's file, so each of its entries stays off until you trust it:

  plug trust

Comments and trailing commas are fine. If a file has a mistake, plug list names the line and the last valid version stays in use. rules.json and registries.json go in the same folder as your mcp.json.
`,
  environment: `Environment variables

  PLUG_HOME                  one folder for all of Plugboard's files
  PLUG_MCP_CONFIG            a config file that overrides the others
  PLUG_DATABASE_URL          use PostgreSQL instead of SQLite
  PLUG_PORT                  the hub's port on loopback; default: a free one
  PLUG_REGISTRIES            registries, as JSON; overrides registries.json
  PLUG_REMOTE_ONLY           reject servers that run on this machine
  PLUG_MASTER_KEY            the vault key, 32 bytes in base64
  PLUG_TEAM_SECRET           signs team sessions: plug hub start --team
  PLUG_NO_KEYRING            don't use the system keyring
  PLUG_NO_FIRST_LOOKS        don't start servers only to read their tools
  PLUG_CLIENT_METADATA_URL   Plugboard's OAuth client metadata document

The hub reads them when it starts. After a change: plug hub restart. To see what is set: plug config.

FOR THE COMMAND ITSELF

  NO_COLOR            no colors; same as --no-color
  FORCE_COLOR         colors even in a pipe
  TERM=dumb           no colors and no progress line
  COLUMNS             the width, if the terminal doesn't report it
  VISUAL, EDITOR      used by plug config edit
  PAGER               used by plug help TOPIC in a terminal
  XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME

Servers don't get your whole environment: only a short list of variables and what their definitions declare.
`,
  'exit-codes': `Exit codes for scripts

  0    success
  1    failed, denied, or the tool reported an error
  2    wrong usage or arguments
  3    approval or trust required
  4    sign-in required
  5    a server or the hub is not available
  6    no such server, tool, profile, result or ID
  130  Ctrl-C

They are stable. With --json, a command prints one JSON document on standard output, also when it fails:

  { "error": { "code": …, "message": …, "owner": …, "next": … } }

owner says where the cause is: you, server, network, registry or plugboard. next is the command to run. Commands that don't end, such as plug events -f, print one JSON record per line.
`,
  troubleshooting: `Fix common problems

Every error says what happened and what to do next. Start here:

  plug status
  plug doctor
  plug doctor SERVER

  asleep            nothing is wrong: the next call starts it
  degraded          plug status SERVER
  disabled          plug enable SERVER
  not trusted yet   plug trust SERVER
  needs sign-in     plug auth SERVER
  needs …           set the variable or file it names
  crashed           plug logs SERVER, then plug restart SERVER
  quarantined       plug tools --audit, then plug tools approve SERVER/TOOL

A COMMAND IS NOT FOUND

Plugboard looks for commands on your login shell's PATH. If one works in your terminal but not here, use its full path.

THE HUB

  plug hub status
  plug hub restart
  plug hub start --foreground

The hub keeps the environment of the shell that started it: after you change PATH or a variable, restart it. Its log is hub.log in the state folder: plug config path.
`,
  completion: `Tab completion in bash, zsh and fish

Tab completes commands, options and values, and, while a hub is running, the names of servers, tools, profiles and accounts. It never starts a hub or a server.

BASH

Add this to ~/.bashrc:

  eval "$(plug completion bash)"

ZSH

Add this to ~/.zshrc, after compinit:

  eval "$(plug completion zsh)"

FISH

  plug completion fish > ~/.config/fish/completions/plug.fish

zsh and fish also show descriptions. Names that come from servers are cleaned of control characters and quoted.
`,
};
