import type { ServersAndCalls } from '../topics.ts';

/** What there is to call, and what may run. */
export const serversAndCalls: Readonly<Record<ServersAndCalls, string>> = {
  'getting-started': `The first five minutes

Plain plug, on a machine where other MCP clients are, says which servers they have and offers to take them over. The same at any time:

  plug import

Or add a server by hand. The plan is shown, the server is tried, and only then saved:

  plug add everything -- npx -y @modelcontextprotocol/server-everything stdio

See what it offers, and call it. Its server starts by itself and stops when it isn't needed:

  plug tools everything
  plug call everything/echo message=hello

What only reads runs at once on a server that you trust; what writes asks first; what destroys always does. Give all of it to an editor or another MCP host:

  plug connect cursor

All of it is in a page too:

  plug open

LOOK AROUND

  plug list            every server, its state, and what to do about it
  plug status          one line
  plug audit           every call, by whom, and what decided
  plug doctor          what is wrong, and why

SEE ALSO

  plug help adding, plug help approvals, plug help gateway
`,
  adding: `Everything that plug add understands

Give it whatever names a server:

  plug add notion                      a name that is known, or in a registry
  plug add https://example.com/mcp     an address
  plug add docs https://example.com/mcp
  plug add ./mcp.json                  a file of any client, or a screenshot
  plug add -                           paste, then Ctrl-D
  plug add files -- npx -y @modelcontextprotocol/server-filesystem .

Words that name nothing known are searched for in the registries, and you choose. Everything after -- is a command, word by word; no shell stands in between.

WHAT HAPPENS

The plan says what would run or be contacted, who publishes it, which keys it needs, and where it is saved. Nothing is started before you agree. Then the server is tried, and saved only if that works; --no-test saves it at once. Keys go into the vault.

OTHER WAYS

  plug import          servers of other clients on this machine
  plug search WORDS    look without adding
  plug parse FILE      say what a text holds, its keys masked; saves nothing
  plug help config-files

A server of the same name stays, unless --replace is given. --remote-only, or PLUG_REMOTE_ONLY, declines what would run on this machine.
`,
  names: `How servers, tools and accounts are called

A server has a name of yours: a–z, 0–9, dot, dash and underscore, such as github. Everything that takes SERVER takes that name.

A tool is SERVER/TOOL, such as github/create_issue. That name never changes because another server joined. Models and hosts do not take a slash; what they write is understood here too:

  github__create_issue
  mcp__github__create_issue

Several accounts at one server have names: --account work, when signing in. Calls use the default one:

  plug auth default github work

A profile is a named subset of servers and tools. Where one is wanted it is --profile NAME. Globs in it use * and ?, such as github/get_*.

Approvals, grants and kept results have ids. A mistyped name is answered with the nearest one.
`,
  approvals: `What asks before it runs, and how to answer

Every call takes one path, on which one decision is made: it runs, it asks a person, or it is denied.

  a tool that …        on a server you trust    on any other
  reads                runs                     asks
  writes               asks                     asks
  destroys             always asks              always asks
  is of unknown risk   asks                     asks

AT A TERMINAL

plug call shows a card: the server, the tool, its risk, all arguments, and why it asks. One key answers:

  y  yes, this once             e  edit the arguments first
  s  yes, until the hub stops   n  no; a model is told your reason
  t  yes, this tool always      Esc  stop the call
  r  yes, all that reads here   a  always for arguments like these

Enter alone is a no. Only keys that make sense are offered.

FROM ELSEWHERE

A call of a host or a program may wait, for five minutes; then it is denied.

  plug approvals
  plug approve ID
  plug approve ID --remember tool
  plug deny ID --note TEXT

A script cannot be asked: it ends with exit code 3 and the command that would allow the call.

SEE ALSO

  plug help grants, plug help rules
`,
  grants: `Letting a tool run without asking

A grant is a remembered permission. It is bound to you, to the server as it is and to the tool as it is described: change one byte of either and it does not hold any more.

  plug grants add github/create_issue
  plug grants add github/create_issue --args 'repo=acme/*'
  plug grants add github/create_issue --until 30d
  plug grants add github/create_issue --once
  plug grants add github --session

The last allows all that reads on a server, until the hub stops. In a pattern * stands for any characters and ? for one; body.text is a field in a field, and to.* every item of a list.

What destroys can be granted for one call, for given arguments or until a date; never for ever.

  plug grants list
  plug grants revoke ID

Trust is wider: what reads on a trusted server runs without asking.

  plug trust github
`,
  rules: `Rules over calls and data, and the defaults

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

  connect            a server that you haven't agreed to
  list               the tools of such a server
  call.read          a tool that only reads, on a trusted server
  call.write         a tool that changes something
  call.destructive   a tool that may destroy something: ask or deny
  call.unknown       any other tool
`,
  secrets: `Keys, the vault, and signing in

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
