import type { Server, ServerContext } from '@modelcontextprotocol/server';
import type { World } from './world.ts';

export type Era = 'modern' | 'legacy';
export type Obj = Record<string, unknown>;

/** One call of a tool, with everything that a tool may need to behave well or badly. */
export interface ToolCall {
  readonly args: Obj;
  readonly era: Era;
  readonly ctx: ServerContext;
  readonly server: Server;
  readonly world: World;
}

export interface FixtureTool {
  readonly definition: Obj & { readonly name: string };
  readonly run: (call: ToolCall) => Obj | Promise<Obj>;
}

export function text(value: string): Obj {
  return { content: [{ type: 'text', text: value }] };
}

/** A tool whose arguments are the given JSON Schema properties. */
export function tool(
  name: string,
  description: string,
  options: { readonly properties?: Obj; readonly required?: readonly string[]; readonly more?: Obj },
  run: FixtureTool['run'],
): FixtureTool {
  const inputSchema = {
    type: 'object',
    properties: options.properties ?? {},
    ...(options.required ? { required: options.required } : {}),
  };
  return { definition: { name, description, inputSchema, ...options.more }, run };
}

export function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

export function stringOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

/** Waits, but no longer than the call lives. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
