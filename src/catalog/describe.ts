import { withoutHidden } from './hidden-text.ts';
import type { Risk } from './risk.ts';
import type { Tool } from './tool.ts';

export function describeForModel(tool: Pick<Tool, 'server' | 'risk' | 'title' | 'description'>): string {
  const text = withoutHidden(tool.description ?? '').trim() || withoutHidden(tool.title ?? '').trim();
  return text === '' ? prefixOf(tool) : `${prefixOf(tool)} ${text}`;
}

function prefixOf(tool: Pick<Tool, 'server' | 'risk'>): string {
  return `[${tool.server}${MARKS[tool.risk]}]`;
}

const MARKS: Record<Risk, string> = { read: '', write: ' WRITE', destructive: ' WRITE', unknown: ' ?' };
