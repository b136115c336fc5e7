import { places } from './places.ts';

export const ALWAYS = [
  { keys: 'Ctrl+K', does: 'Go to or do anything (⌘K on a Mac)' },
  { keys: '?', does: 'Show this' },
  { keys: 'Esc', does: 'Close what is open' },
] as const;

export const WAYS = [
  { keys: 'a', does: 'Add a server', to: places.add },
  { keys: 'g s', does: 'Servers', to: places.servers },
  { keys: 'g c', does: 'Chat', to: places.chat },
  { keys: 'g u', does: 'Add servers in a conversation', to: places.setup },
  { keys: 'g a', does: 'Activity', to: places.activity },
  { keys: 'g p', does: 'Approvals', to: places.approvals },
  { keys: 'g g', does: 'Grants', to: places.grants },
  { keys: 'g t', does: 'Settings', to: places.settings },
] as const;
