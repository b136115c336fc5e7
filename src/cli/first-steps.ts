/** What to do when nothing is configured yet; `plug` is what runs this program here. */
export function firstSteps(plug: string): readonly string[] {
  return [
    'Open the page in your browser:',
    `  ${plug} open`,
    'Or stay in the terminal.',
    ...terminalSteps(plug),
  ];
}

/** The same for whoever has the page before them already. */
export function terminalSteps(plug: string): readonly string[] {
  return [
    'Plug in a demo server that needs no account:',
    `  ${plug} add everything -- npx -y @modelcontextprotocol/server-everything stdio`,
    'Then call one of its tools:',
    `  ${plug} tools everything`,
    `  ${plug} call everything/echo message=hello`,
    'A remote server is added by its address:',
    `  ${plug} add docs https://example.com/mcp`,
  ];
}
