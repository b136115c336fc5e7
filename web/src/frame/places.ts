/** Where one can be. The address always says it. */
export const places = {
  chat: '/chat',
  servers: '/servers',
  server: (id: string, tab?: string): string =>
    `/servers/${encodeURIComponent(id)}${tab === undefined ? '' : `/${tab}`}`,
  add: '/add',
  setup: '/setup',
  approvals: '/approvals',
  grants: '/grants',
  activity: '/activity',
  settings: '/settings',
} as const;

export const RAIL = [
  { to: places.chat, label: 'Chat', icon: 'chat' },
  { to: places.servers, label: 'Servers', icon: 'plug' },
  { to: places.setup, label: 'Add', icon: 'plus' },
  { to: places.activity, label: 'Activity', icon: 'pulse' },
  { to: places.grants, label: 'Grants', icon: 'key' },
] as const;
