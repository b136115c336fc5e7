/** Requests that MCP itself has, of all revisions: those of extensions are not among them. */
const METHODS: ReadonlySet<string> = new Set(
  [
    'initialize ping server/discover subscriptions/listen logging/setLevel completion/complete',
    'tools/list tools/call prompts/list prompts/get',
    'resources/list resources/templates/list resources/read resources/subscribe resources/unsubscribe',
    'tasks/get tasks/update tasks/cancel tasks/result tasks/list',
    'elicitation/create sampling/createMessage roots/list',
  ].flatMap((line) => line.split(' ')),
);

/** Notifications count, too. */
export function isProtocolMethod(method: string): boolean {
  return METHODS.has(method) || method.startsWith('notifications/');
}
