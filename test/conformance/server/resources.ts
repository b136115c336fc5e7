import {
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { PIXEL_PNG } from './content.ts';

export const resources: readonly Resource[] = [
  {
    uri: 'test://static-text',
    name: 'static-text',
    description: 'A text that never changes.',
    mimeType: 'text/plain',
  },
  {
    uri: 'test://static-binary',
    name: 'static-binary',
    description: 'An image that never changes.',
    mimeType: 'image/png',
  },
  {
    uri: 'test://watched-resource',
    name: 'watched-resource',
    description: 'A text to subscribe to.',
    mimeType: 'text/plain',
  },
];

export const resourceTemplates: readonly ResourceTemplateType[] = [
  {
    uriTemplate: 'test://template/{id}/data',
    name: 'template',
    description: 'Data for an id.',
    mimeType: 'application/json',
  },
];

const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;

export function readResource(uri: string): ReadResourceResult {
  const id = TEMPLATE.exec(uri)?.[1];
  if (id !== undefined) {
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(data) }] };
  }
  switch (uri) {
    case 'test://static-text': {
      const text = 'This is the content of the static text resource.';
      return { contents: [{ uri, mimeType: 'text/plain', text }] };
    }
    case 'test://static-binary':
      return { contents: [{ uri, mimeType: 'image/png', blob: PIXEL_PNG }] };
    case 'test://watched-resource':
      return { contents: [{ uri, mimeType: 'text/plain', text: 'Watched.' }] };
    default:
      throw new ResourceNotFoundError(uri);
  }
}
