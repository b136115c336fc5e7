import type { Hub } from '../hub/hub.ts';
import type { Run } from './deciding-client.ts';
import { inProcessOnly } from './in-process-only.ts';

/** Models, chat, the doctor and backups, over HTTP. */
export function chatOver(run: Run): Pick<Hub, 'models' | 'chat' | 'doctor' | 'backups'> {
  return {
    models: {
      list: () => run('models.list', {}),
      save: (model) => run('models.save', model),
      remove: (name) => run('models.remove', { name }),
      setDefault: (name) => run('models.setDefault', { name }),
      open: () => inProcessOnly('models.open'),
      offered: (request) => run('models.offered', request),
    },
    chat: {
      turn: (request, options) => run('chat.turn', request, options),
      suggest: (request) => run('chat.suggest', request),
    },
    doctor: {
      run: (request = {}, options = {}) => run('doctor.run', request, options),
      fix: (request) => run('doctor.fix', request),
    },
    backups: {
      make: (request = {}) => run('backups.make', request),
      check: (request) => run('backups.check', request),
      restore: (request) => run('backups.restore', request),
    },
  };
}
