/** What an HTTP request asks for that wants to become a stream of MCP messages, and where. */
export const STREAM_PROTOCOL = 'plug-mcp';
export const STREAM_PATH = '/mcp/stream';
