import type { Conversation } from './conversation.ts';

/**
 * Conversations in this browser and nowhere else. Where the browser refuses (a private window, a full
 * disk), chat works all the same and only forgets.
 */
export interface KeptConversations {
  readonly all: () => Promise<readonly Conversation[]>;
  readonly get: (id: string) => Promise<Conversation | undefined>;
  readonly put: (conversation: Conversation) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
  readonly clear: () => Promise<void>;
}

export function openKept(): KeptConversations {
  let opening: Promise<IDBDatabase> | undefined;
  const store = async (mode: IDBTransactionMode): Promise<IDBObjectStore> => {
    opening ??= open();
    const database = await opening;
    return database.transaction(STORE, mode).objectStore(STORE);
  };
  return {
    all: async () => {
      const found = await done<unknown[]>((await store('readonly')).getAll());
      // Nobody else writes here; what an older page wrote has the fields of then.
      return (found as Conversation[]).toSorted((a, b) => b.changedAt - a.changedAt).slice(0, KEPT_MAX);
    },
    get: async (id) => (await done<unknown>((await store('readonly')).get(id))) as Conversation | undefined, // as above
    put: async (conversation) => {
      await done((await store('readwrite')).put(conversation));
    },
    remove: async (id) => {
      await done((await store('readwrite')).delete(id));
    },
    clear: async () => {
      await done((await store('readwrite')).clear());
    },
  };
}

const NAME = 'plug';
const STORE = 'conversations';
const KEPT_MAX = 500;

function open(): Promise<IDBDatabase> {
  const request = window.indexedDB.open(NAME, 1);
  request.addEventListener('upgradeneeded', () => {
    request.result.createObjectStore(STORE, { keyPath: 'id' });
  });
  return done(request);
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('the browser kept nothing')));
  });
}
