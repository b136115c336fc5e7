import { inProcessOnly } from '../../src/api/in-process-only.ts';
import type { ChatUsage, Hub, ModelView } from '../../src/hub/hub.ts';

type On = <Args extends readonly unknown[], Out>(
  name: string,
  run: (...args: Args) => Out | Promise<Out>,
) => (...args: Args) => Promise<Out>;

const usage: ChatUsage = { inputTokens: 1, outputTokens: 2, steps: 1, calls: 0 };
const nothing = { restored: [], kept: [], failed: [], todo: [] };

/** Models, chat, the doctor and backups without a model, a fault or a file. */
export function toyChat(
  on: On,
): Pick<Hub, 'models' | 'chat' | 'configuring' | 'settings' | 'doctor' | 'backups'> {
  const models = new Map<string, ModelView>();
  let retention = { callDays: 90, resultDays: 7 };
  return {
    models: {
      list: on('models.list', () => [...models.values()]),
      save: on('models.save', ({ key, isDefault = false, ...model }) => {
        const view = { ...model, isDefault, hasKey: key !== undefined };
        models.set(model.name, view);
        return view;
      }),
      remove: on('models.remove', (name) => void models.delete(name)),
      setDefault: on('models.setDefault', () => undefined),
      open: () => inProcessOnly('models.open'),
      offered: on('models.offered', ({ provider }) => [`${provider}-1`]),
    },
    chat: {
      turn: on('chat.turn', ({ messages }, options) => {
        options?.onProgress?.({ kind: 'text', text: 'Hello.' });
        return { messages: messages.slice(-1), text: 'Hello.', end: 'done' as const, usage, refused: [] };
      }),
      suggest: on('chat.suggest', () => []),
    },
    configuring: {
      turn: on('configuring.turn', ({ messages }, options) => {
        options?.onProgress?.({ kind: 'text', text: 'What should it do?' });
        return { messages: messages.slice(-1), text: 'What should it do?', proposals: [] };
      }),
    },
    settings: {
      get: on('settings.get', () => ({ retention, remoteOnly: false })),
      change: on('settings.change', (change) => {
        retention = { ...retention, ...change.retention };
        return { retention, remoteOnly: false };
      }),
    },
    doctor: {
      run: on('doctor.run', (_request, options) => {
        const row = { check: 'hub', status: 'pass', says: 'The hub runs.' } as const;
        options?.onProgress?.(row);
        return { rows: [row], counts: { pass: 1, warn: 0, fail: 0, skip: 0 }, version: '1.0.0', at: 0 };
      }),
      fix: on('doctor.fix', ({ fixes }) => fixes.map((id) => ({ id, done: true, says: 'Done.' }))),
    },
    backups: {
      make: on('backups.make', () => ({
        plugboard: 'backup' as const,
        version: 1 as const,
        madeAt: 0,
        madeBy: '1.0.0',
        contents: {},
      })),
      check: on('backups.check', () => nothing),
      restore: on('backups.restore', () => nothing),
    },
  };
}
