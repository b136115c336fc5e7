import type { Ids } from '../base/ids.ts';
import { isObject, type JsonObject } from '../base/json.ts';

export interface TaskRef {
  readonly server: string;
  readonly taskId: string;
}

interface KnownTask extends TaskRef {
  readonly owner: string;
  readonly shown: string;
}

/** Tasks that hosts have begun, each known to its own host alone: servers may count their ids. */
export class TaskBook {
  readonly #ids: Pick<Ids, 'next'>;
  readonly #tasksMax: number;
  /** By owner and either id; in order of arrival. */
  readonly #byShown = new Map<string, KnownTask>();
  readonly #byOwn = new Map<string, KnownTask>();

  constructor(ids: Pick<Ids, 'next'>, tasksMax: number) {
    this.#ids = ids;
    this.#tasksMax = tasksMax;
  }

  get isEmpty(): boolean {
    return this.#byShown.size === 0;
  }

  newOwner(): string {
    return this.#ids.next('owner');
  }

  /** `only`: the one server whose ids the host sees as they are. */
  of(owner: string, only: string | undefined): HostTasks {
    return new HostTasks(this, owner, only);
  }

  add(owner: string, { server, taskId }: TaskRef, isOwnName: boolean): KnownTask {
    const own = taskKey(owner, server, taskId, isOwnName);
    const known = this.#byOwn.get(own);
    if (known) return known;
    const [oldest] = this.#byShown;
    if (oldest && this.#byShown.size >= this.#tasksMax) this.#forget(oldest[1]);
    const task = { owner, server, taskId, shown: isOwnName ? taskId : this.#ids.next('task') };
    this.#byOwn.set(own, task);
    this.#byShown.set(taskKey(owner, isOwnName ? server : '', task.shown), task);
    return task;
  }

  named(owner: string, { server, taskId }: TaskRef, isOwnName: boolean): KnownTask | undefined {
    return this.#byOwn.get(taskKey(owner, server, taskId, isOwnName));
  }

  shown(owner: string, only: string | undefined, shown: string): KnownTask | undefined {
    return this.#byShown.get(taskKey(owner, only ?? '', shown));
  }

  endHost(owner: string): void {
    for (const task of this.#byShown.values()) if (task.owner === owner) this.#forget(task);
  }

  #forget({ owner, server, taskId, shown }: KnownTask): void {
    const isOwnName = shown === taskId;
    this.#byOwn.delete(taskKey(owner, server, taskId, isOwnName));
    this.#byShown.delete(taskKey(owner, isOwnName ? server : '', shown));
  }
}

function taskKey(...parts: readonly (string | boolean)[]): string {
  return JSON.stringify(parts);
}

const TASK_ID_CHARS_MAX = 1_000;
const RELATED = 'io.modelcontextprotocol/related-task';

/** The tasks of one host: their ids as it sees them, and back. */
export class HostTasks {
  readonly #book: TaskBook;
  readonly #owner: string;
  readonly #only: string | undefined;

  constructor(book: TaskBook, owner: string, only: string | undefined) {
    this.#book = book;
    this.#owner = owner;
    this.#only = only;
  }

  /** When the host has gone for good. */
  end(): void {
    this.#book.endHost(this.#owner);
  }

  find(shown: unknown): TaskRef | undefined {
    return typeof shown === 'string' ? this.#book.shown(this.#owner, this.#only, shown) : undefined;
  }

  /** Undefined for a task of another host. */
  shownId(server: string, taskId: unknown): string | undefined {
    if (typeof taskId !== 'string') return undefined;
    return this.#book.named(this.#owner, { server, taskId }, this.#only !== undefined)?.shown;
  }

  /** The answer to a call that began a task: from now on it is the host's. */
  begin(server: string, result: JsonObject): JsonObject {
    const { task, taskId = isObject(task) ? task['taskId'] : undefined } = result;
    if (typeof taskId !== 'string' || taskId.length > TASK_ID_CHARS_MAX) return result;
    this.#book.add(this.#owner, { server, taskId }, this.#only !== undefined);
    return this.show(server, result);
  }

  /** A result with the ids that the host knows. */
  show(server: string, result: JsonObject): JsonObject {
    const { task, taskId } = result;
    const related = this.showRelated(server, result);
    const shown = this.shownId(server, taskId);
    if (shown !== undefined) return { ...related, taskId: shown };
    const inner = isObject(task) ? this.shownId(server, task['taskId']) : undefined;
    return isObject(task) && inner !== undefined ? { ...related, task: { ...task, taskId: inner } } : related;
  }

  /** A message of a server names the task that it belongs to; one of another host's is not told. */
  showRelated(server: string, message: JsonObject): JsonObject {
    return this.#only === undefined ? mapRelated(message, (taskId) => this.shownId(server, taskId)) : message;
  }

  /** The other way round, in a message of the host. */
  related(server: string, message: JsonObject): JsonObject {
    if (this.#only !== undefined) return message;
    return mapRelated(message, (shown) => {
      const found = this.find(shown);
      return found?.server === server ? found.taskId : undefined;
    });
  }
}

function mapRelated(message: JsonObject, map: (taskId: unknown) => string | undefined): JsonObject {
  const { _meta: meta } = message;
  if (!isObject(meta) || !isObject(meta[RELATED])) return message;
  const { [RELATED]: related, ...rest } = meta;
  const taskId = map(related['taskId']);
  return { ...message, _meta: taskId === undefined ? rest : { ...rest, [RELATED]: { ...related, taskId } } };
}
