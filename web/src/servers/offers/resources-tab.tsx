import { useMemo, useState, type ReactNode } from 'react';
import type { JsonObject, ServerView } from '../../hub/hub-context.tsx';
import { keys, useHubAction, useHubQuery } from '../../hub/queries.ts';
import { Button } from '../../parts/button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import type { FieldSpec, FieldValues } from '../../parts/form/field-spec.ts';
import { FieldsForm } from '../../parts/form/fields-form.tsx';
import { ResultView } from '../../parts/result-view.tsx';
import { shownResult } from '../../parts/shown-result.ts';
import { SearchField } from '../search-field.tsx';
import { objectsIn, OfferRow, textIn } from './offer-row.tsx';
import { fieldsOfTemplate, uriFrom } from './uri-template.ts';
import styles from './offers.module.css';

const SHOWN_MAX = 200;

/** What can be read on a server, and reading it. */
export function ResourcesTab({ server: { id } }: { readonly server: ServerView }): ReactNode {
  const [words, setWords] = useState('');
  const { data, error } = useHubQuery(keys.resources(id), (hub) => hub.resources.list({ server: id }));
  const all = useMemo(() => {
    const { resources = [], templates = [] } = data ?? {};
    return [
      ...templates.map(({ definition }) => ({
        definition,
        template: textIn(definition, 'uriTemplate') ?? '',
      })),
      ...resources.map(({ definition }) => ({ definition, uri: textIn(definition, 'uri') ?? '' })),
    ];
  }, [data]);
  if (error) return <ErrorNote error={error} />;
  if (!data) return null;
  if (all.length === 0) {
    return <EmptyState title="No resources">This server offers nothing to read.</EmptyState>;
  }
  const wanted = words.trim().toLowerCase();
  const fitting = all.filter(({ definition }) => JSON.stringify(definition).toLowerCase().includes(wanted));
  return (
    <div className={styles['tab']}>
      <SearchField label="Search resources" value={words} onChange={setWords} slash={false} />
      <ul className={styles['rows']} aria-label="Resources">
        {fitting.slice(0, SHOWN_MAX).map((each) =>
          'uri' in each ? (
            <OfferRow key={each.uri} definition={each.definition} address={each.uri}>
              {() => <Read server={id} uri={each.uri} />}
            </OfferRow>
          ) : (
            <OfferRow key={each.template} definition={each.definition} address={each.template}>
              {() => <ReadTemplate server={id} template={each.template} />}
            </OfferRow>
          ),
        )}
      </ul>
    </div>
  );
}

function useRead(server: string) {
  return useHubAction((hub, uri: string) => hub.resources.read({ server, uri }));
}

function Read({ server, uri }: { readonly server: string; readonly uri: string }): ReactNode {
  const read = useRead(server);
  return (
    <>
      <div>
        <Button busy={read.isPending} onClick={() => read.mutate(uri)}>
          Read
        </Button>
      </div>
      <Answer read={read} />
    </>
  );
}

function ReadTemplate({
  server,
  template,
}: {
  readonly server: string;
  readonly template: string;
}): ReactNode {
  const fields = useMemo((): readonly FieldSpec[] => fieldsOfTemplate(template), [template]);
  const [values, setValues] = useState<FieldValues>({});
  const read = useRead(server);
  return (
    <>
      <FieldsForm
        fields={fields}
        values={values}
        onChange={setValues}
        onSubmit={() => read.mutate(uriFrom(template, values))}
        submitLabel="Read"
        busy={read.isPending}
      />
      <Answer read={read} />
    </>
  );
}

function Answer({ read: { data, error } }: { readonly read: ReturnType<typeof useRead> }): ReactNode {
  if (error) return <ErrorNote error={error} />;
  if (!data) return null;
  // As a tool's result carries them: one view for whatever a server sends.
  const content = objectsIn(data['contents']).map((resource): JsonObject =>
    typeof resource['text'] === 'string'
      ? { type: 'text', text: resource['text'] }
      : { type: 'resource', resource },
  );
  return <ResultView {...shownResult({ result: { content } })} />;
}
