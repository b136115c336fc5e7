import type { ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { ChangeView, UndoneFile, UndoneServer } from '../hub/hub-context.tsx';
import { keys, useHubAction, useHubQuery } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { UnifiedDiff } from '../parts/diff-view.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Spinner } from '../parts/spinner.tsx';
import { useToast } from '../parts/toasts.tsx';
import { FieldChanges } from '../servers/field-changes.tsx';
import styles from './activity.module.css';

interface UndoChangeProps {
  readonly change: ChangeView;
  readonly onClose: () => void;
}

/** Shows what undoing would do to each server and file, and does it after a yes. */
export function UndoChange({ change, onClose }: UndoChangeProps): ReactNode {
  const toast = useToast();
  // Not below the key of the changes: once it is undone, it must not be asked about again.
  const { data: planned, error } = useHubQuery(['undo', change.id], (hub) =>
    hub.changes.undo({ change: change.id, dryRun: true }),
  );
  const undo = useHubAction(
    (hub, force: boolean) => hub.changes.undo({ change: change.id, force }),
    [keys.changes, keys.servers, ['server']],
  );
  const parts = planned ? [...planned.files, ...planned.servers] : [];
  const conflicts = parts.some(({ outcome }) => outcome === 'conflict');
  const go = (): void =>
    undo.mutate(conflicts, {
      onSuccess: ({ todo }) => {
        toast.good(`Undone: ${showHidden(change.says)}`, todo.map(showHidden).join(' ') || undefined);
        onClose();
      },
    });
  return (
    <Dialog title={`Undo: ${showHidden(change.says)}`} open onClose={onClose} wide>
      <div className={styles['undo']}>
        {!planned && !error && (
          <p>
            <Spinner /> Comparing…
          </p>
        )}
        {planned?.servers.map((server) => (
          <ServerPart key={server.id} server={server} />
        ))}
        {planned?.files.map((file) => (
          <FilePart key={file.path} file={file} />
        ))}
        {(error ?? undo.error) && <ErrorNote error={error ?? undo.error} />}
        <div className={styles['filters']}>
          <Button
            look={conflicts ? 'danger' : 'primary'}
            busy={undo.isPending}
            disabled={!planned}
            onClick={go}
          >
            {conflicts ? 'Undo anyway' : 'Undo'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </div>
    </Dialog>
  );
}

function ServerPart({ server }: { readonly server: UndoneServer }): ReactNode {
  const { id, outcome, fields, why } = server;
  return (
    <section aria-label={`Server ${id}`}>
      <p>
        <strong>{showHidden(id)}</strong> {SERVER_WORDS[outcome]}
        {why !== undefined && <> {showHidden(why)}</>}
      </p>
      {fields.length > 0 && <FieldChanges changes={fields} />}
    </section>
  );
}

const SERVER_WORDS: Readonly<Record<UndoneServer['outcome'], string>> = {
  restored: 'goes back to what it was.',
  removed: 'is removed again.',
  same: 'is as it was.',
  conflict: 'changed since.',
};

function FilePart({ file }: { readonly file: UndoneFile }): ReactNode {
  const { path, outcome, change, why } = file;
  const lines = change
    ? [...change.removed.map((line) => `-${line}`), ...change.added.map((line) => `+${line}`)]
    : [];
  return (
    <section aria-label={`File ${path}`}>
      <p>
        <code>{showHidden(path)}</code> {FILE_WORDS[outcome]}
        {why !== undefined && <> {showHidden(why)}</>}
      </p>
      {lines.length > 0 && <UnifiedDiff text={lines.join('\n')} label={`Changes of ${path}`} />}
    </section>
  );
}

const FILE_WORDS: Readonly<Record<UndoneFile['outcome'], string>> = {
  restored: 'gets its bytes from before.',
  removed: 'is removed: Plugboard made it.',
  entry: 'was written since: only our entry changes.',
  same: 'is as it was.',
  conflict: 'changed since. A copy of it as it is now is kept beside it.',
};
