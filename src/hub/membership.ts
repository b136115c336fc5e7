/** Which workspaces know a server: its connection may end only when the last one forgets it. */
export class Membership {
  readonly #members = new Map<string, Set<object>>();

  join(workspace: object, key: string): void {
    const members = this.#members.get(key) ?? new Set();
    this.#members.set(key, members.add(workspace));
  }

  /** True when nobody knows the key any more. */
  leave(workspace: object, key: string): boolean {
    const members = this.#members.get(key);
    members?.delete(workspace);
    if (members && members.size > 0) return false;
    this.#members.delete(key);
    return true;
  }
}
