/**
 * The suite knows the fixture's own names. Among all servers they are `fixture__NAME` and
 * `plug://fixture/ADDRESS`: put on in what it sends, and taken off in what it hears.
 */
export interface Renaming {
  readonly out: (body: string) => string;
  readonly name: (header: string) => string;
  readonly back: (text: string) => string;
}

type Fields = Record<string, unknown>;

export function renaming(server: string): Renaming {
  const named = (name: unknown): unknown => (typeof name === 'string' ? `${server}__${name}` : name);
  const addressed = (uri: unknown): unknown => (typeof uri === 'string' ? `plug://${server}/${uri}` : uri);
  const dress = (message: { method?: string; params?: Fields }): unknown => {
    const { method = '', params } = message;
    if (!params) return message;
    const { ref, notifications } = params as { ref?: Fields; notifications?: Fields };
    const isNamed = method === 'tools/call' || method === 'prompts/get';
    const watched = notifications?.['resourceSubscriptions'];
    return {
      ...message,
      params: {
        ...params,
        ...(isNamed && 'name' in params ? { name: named(params['name']) } : {}),
        ...('uri' in params ? { uri: addressed(params['uri']) } : {}),
        ...(ref?.['name'] === undefined ? {} : { ref: { ...ref, name: named(ref['name']) } }),
        ...(ref?.['uri'] === undefined ? {} : { ref: { ...ref, uri: addressed(ref['uri']) } }),
        ...(Array.isArray(watched)
          ? { notifications: { ...notifications, resourceSubscriptions: watched.map(addressed) } }
          : {}),
      },
    };
  };
  return {
    out: (body) => {
      try {
        const parsed: unknown = JSON.parse(body);
        const isOne = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
        return isOne ? JSON.stringify(dress(parsed)) : body;
      } catch {
        return body; // the gateway says what is wrong with it
      }
    },
    name: (header) => (header.includes('://') ? `plug://${server}/${header}` : `${server}__${header}`),
    back: (text) => text.replaceAll(`plug://${server}/`, '').replaceAll(`"${server}__`, '"'),
  };
}
