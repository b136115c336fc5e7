/** What an HTTP request asks for that wants to become a stream of MCP messages, and where. */
export const STREAM_PROTOCOL = 'plug-mcp';
export const STREAM_PATH = '/mcp/stream';
/** In the query of any address of the gateway: only what is known to read. */
export const READ_ONLY = 'read-only';
