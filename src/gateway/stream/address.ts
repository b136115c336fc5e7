export const STREAM_PROTOCOL = 'plug-mcp';
export const STREAM_PATH = '/mcp/stream';
/** A query parameter of any gateway address. */
export const READ_ONLY = 'read-only';
