/** A view of the hub from one folder, as far as its siblings need to know it. */
export interface Member {
  reload(): Promise<unknown>;
}

/** All workspaces of a hub, and which of them know a server: a connection ends with the last one. */
export class Membership {
  readonly #members = new Map<string, Set<Member>>();
  readonly #workspaces = new Set<Member>();

  open(workspace: Member): void {
    this.#workspaces.add(workspace);
  }

  close(workspace: Member): void {
    this.#workspaces.delete(workspace);
  }

  /** What was changed in the database shows in every folder. */
  async reloadAll(): Promise<void> {
    await Promise.all([...this.#workspaces].map((workspace) => workspace.reload()));
  }

  join(workspace: Member, key: string): void {
    const members = this.#members.get(key) ?? new Set();
    this.#members.set(key, members.add(workspace));
  }

  /** True when no workspace knows the key any more. */
  leave(workspace: Member, key: string): boolean {
    const members = this.#members.get(key);
    members?.delete(workspace);
    if (members && members.size > 0) return false;
    this.#members.delete(key);
    return true;
  }
}
