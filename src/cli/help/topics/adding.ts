import type { Topic } from '../topic.ts';

export const adding: Topic = {
  title: 'Everything that plug add understands',
  text: `
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
  plug parse FILE      say what a text holds; saves and contacts nothing
  plug help config-files

A server of the same name stays, unless --replace is given. --remote-only, or PLUG_REMOTE_ONLY, declines what would run on this machine.
`,
};
