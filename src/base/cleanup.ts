/** An AsyncDisposableStack for Node 22. A step that throws does not skip the next. */
export class Cleanup implements AsyncDisposable {
  #steps: (() => void | PromiseLike<void>)[] = [];

  use<T extends AsyncDisposable>(resource: T): T {
    this.defer(() => resource[Symbol.asyncDispose]());
    return resource;
  }

  defer(step: () => void | PromiseLike<void>): void {
    this.#steps.push(step);
  }

  move(): Cleanup {
    const whole = new Cleanup();
    whole.#steps = this.#steps;
    this.#steps = [];
    return whole;
  }

  async disposeAsync(): Promise<void> {
    const failures: unknown[] = [];
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) throw new AggregateError(failures, 'Several things could not be closed.');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disposeAsync();
  }
}
