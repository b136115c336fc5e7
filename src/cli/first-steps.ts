/** A server that needs no account, to try everything with. */
const DEMO_COMMAND = 'plug add everything -- npx -y @modelcontextprotocol/server-everything stdio';

/** What to do when nothing is configured yet. */
export function firstSteps(): readonly string[] {
  return [
    'Plug in a demo server that needs no account:',
    `  ${DEMO_COMMAND}`,
    'Then call one of its tools:',
    '  plug tools everything',
    '  plug call everything/echo message=hello',
    'A remote server is added by its address:',
    '  plug add docs https://example.com/mcp',
  ];
}
