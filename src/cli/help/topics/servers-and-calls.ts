import type { ServersAndCalls } from '../topics.ts';

/** What there is to call, and what may run. */
export const serversAndCalls: Readonly<Record<ServersAndCalls, string>> = {
  'getting-started': `The first five minutes

On a machine with other MCP clients, typing just “plug” lists their servers and offers to import them. To do that at any time:

  plug import

Or add a server yourself. plug add shows the plan, tests the server, and saves it only if the test passes:

  plug add everything -- npx -y @modelcontextprotocol/server-everything stdio

List its tools and call one. The server starts when needed and stops when idle:

  plug tools everything
  plug call everything/echo message=hello

On a server that you trust, read-only tools run at once. Tools that write ask first, and destructive tools always ask. Connect an editor or another MCP host:

  plug connect cursor

Everything is also on a page in your browser:

  plug open

LOOK AROUND

  plug list            list servers with their state and next step
  plug status          show a one-line summary
  plug audit           show every call and what decided
  plug doctor          find problems

SEE ALSO

  plug help adding, plug help approvals, plug help gateway
`,
  adding: `What plug add accepts

plug add takes:

  plug add notion                      a known name, or one from a registry
  plug add https://example.com/mcp     a URL
  plug add docs https://example.com/mcp
  plug add ./mcp.json                  any client's config, or a screenshot
  plug add -                           paste, then Ctrl-D
  plug add files -- npx -y @modelcontextprotocol/server-filesystem .

Other words are searched for in the registries, and you choose. Everything after -- is a command, passed word by word without a shell.

WHAT HAPPENS

The plan shows what runs or is contacted, who publishes it, which keys it needs and where it is saved. Nothing starts before you confirm. Then Plugboard tests the server and saves it only if the test passes; --no-test skips the test. Keys go into the vault.

OTHER WAYS

  plug import          import servers from other clients
  plug search WORDS    search without adding
  plug parse FILE      show what a text contains, keys masked
  plug help config-files

An existing server of the same name is kept unless you add --replace. --remote-only, or PLUG_REMOTE_ONLY, rejects servers that run on this machine.
`,
  names: `Names of servers, tools and accounts

You choose a server's name: a–z, 0–9, dot, dash and underscore, such as github. Commands that take SERVER take that name.

A tool's name is SERVER/TOOL, such as github/create_issue. Adding another server never changes it. Models and hosts don't accept a slash; commands also accept the forms they use:

  github__create_issue
  mcp__github__create_issue

If you have several accounts at a server, name them when you sign in: --account work. Calls use the default account:

  plug auth default github work

A profile is a named set of servers and tools: --profile NAME. Its patterns use * and ?, such as github/get_*.

Approvals, grants and stored results have IDs. If you mistype a name, the error suggests the nearest one.
`,
  approvals: `Which calls ask first, and how to answer

Plugboard decides every call in one place: it runs, it asks you, or it is denied.

  risk of the tool   trusted server   any other server
  read               runs             asks
  write              asks             asks
  destructive        always asks      always asks
  unknown            asks             asks

AT A TERMINAL

plug call shows the server, the tool, its risk, all arguments and why it asks. Answer with one key:

  y  yes, once                     e    edit the arguments first
  s  yes, until the hub stops      n    no; you can send a reason
  t  yes, always for this tool     Esc  cancel the call
  r  yes, all read-only tools      a    always with arguments like these

Enter alone means no. Only the keys that apply are shown.

FROM ELSEWHERE

A call from a host or a program waits up to five minutes; then it is denied.

  plug approvals
  plug approve ID
  plug approve ID --remember tool
  plug deny ID --note TEXT

A script can't be asked: it exits with code 3 and prints the command that allows the call.

SEE ALSO

  plug help grants, plug help rules
`,
  grants: `Let a tool run without asking

A grant is a remembered permission. It applies to you, and to the server and the tool exactly as they are now: if either changes, the grant no longer applies.

  plug grants add github/create_issue
  plug grants add github/create_issue --args 'repo=acme/*'
  plug grants add github/create_issue --until 30d
  plug grants add github/create_issue --once
  plug grants add github --session

The last one grants a server's read-only tools until the hub stops. In a pattern, * matches any characters and ? matches one; body.text is a nested field, and to.* is every item of a list.

A destructive tool can be granted for one call, for given arguments or until a date, but not permanently.

  plug grants list
  plug grants revoke ID

Trust covers more: all read-only tools of a trusted server run without asking.

  plug trust github
`,
  rules: `Rules for calls and data, and defaults

Rules are in rules.json in your config folder. Plugboard reads the file when you save it, and writes it only when you change a default.

  plug rules
  plug rules check FILE
  plug config edit rules

A rule has a name, a condition and an effect: allow, ask or deny. Deny wins over ask, and ask wins over allow.

  { "rules": [
    { "name": "no deletes", "when": { "tool": "*/delete_*" }, "then": "deny" }
  ] }

A file with a mistake isn't used: the last valid rules stay in force, and plug rules names the line.

DEFAULTS

If no rule, grant or trust applies, a default decides:

  plug config set call.unknown deny
  plug rules default call.write ask

  connect            connecting to a server you don't trust
  list               listing the tools of such a server
  call.read          read-only tools of a trusted server
  call.write         tools that can change data
  call.destructive   destructive tools: ask or deny
  call.unknown       all other tools
`,
  secrets: `Keys, the vault and signing in

A server's definition contains a reference to a key, never the key. The key is encrypted in the vault, or stays in your environment, a file or your password manager.

  plug secrets set github/TOKEN
  plug secrets list
  plug secrets rm github/TOKEN

Type a key at the hidden prompt, or pass it on standard input; never on the command line. In a definition:

  \${vault:github/TOKEN}      a secret in the vault
  \${GITHUB_TOKEN}            a variable in the hub's environment
  \${file:~/.keys/github}     the content of a file
  \${command:op read op://…}  the output of a password manager

plug import copies plaintext keys from another client's file into the vault; it doesn't change that file.

SIGNING IN

  plug auth linear
  plug auth github --account work
  plug auth list
  plug auth logout github

Without a browser on this machine, open the printed URL in any browser, then paste the last URL back here.

THE VAULT KEY

The vault key is in your system keyring; otherwise it is protected by a passphrase, in PLUG_MASTER_KEY, or in a file that only you can read. plug hub status shows which. To move or unlock it:

  plug secrets rotate --to keyring
  plug secrets unlock
`,
};
