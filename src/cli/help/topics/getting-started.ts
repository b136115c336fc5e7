import type { Topic } from '../topic.ts';

export const gettingStarted: Topic = {
  title: 'The first five minutes',
  text: `
Plain plug, on a machine where other MCP clients are, says which servers they have and offers to take them over. The same at any time:

  plug import

Or add a server by hand. The plan is shown, the server is tried, and only then saved:

  plug add everything -- npx -y @modelcontextprotocol/server-everything stdio

See what it offers, and call it. Its server starts by itself and stops when nobody needs it:

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
};
