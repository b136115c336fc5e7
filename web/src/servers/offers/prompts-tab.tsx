import { useMemo, useState, type ReactNode } from 'react';
import { showHidden } from '../../../../src/catalog/hidden-text.ts';
import type { JsonObject, ServerView } from '../../hub/hub-context.tsx';
import { keys, useHubAction, useHubQuery } from '../../hub/queries.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import type { FieldSpec, FieldValues } from '../../parts/form/field-spec.ts';
import { textOf } from '../../parts/form/field-spec.ts';
import { FieldsForm } from '../../parts/form/fields-form.tsx';
import { ResultView } from '../../parts/result-view.tsx';
import { shownResult } from '../../parts/shown-result.ts';
import { objectsIn, OfferRow, textIn } from './offer-row.tsx';
import styles from './offers.module.css';

/** The prompts of a server, filled in to look at their messages. */
export function PromptsTab({ server: { id } }: { readonly server: ServerView }): ReactNode {
  const { data, error } = useHubQuery(keys.prompts(id), (hub) => hub.prompts.list({ server: id }));
  if (error) return <ErrorNote error={error} />;
  if (!data) return null;
  if (data.prompts.length === 0) {
    return <EmptyState title="No prompts">This server offers no prompts.</EmptyState>;
  }
  return (
    <ul className={styles['rows']} aria-label="Prompts">
      {data.prompts.map(({ definition }) => {
        const name = textIn(definition, 'name') ?? '';
        return (
          <OfferRow key={name} definition={definition} address={name}>
            {() => <Prompt server={id} name={name} definition={definition} />}
          </OfferRow>
        );
      })}
    </ul>
  );
}

interface PromptProps {
  readonly server: string;
  readonly name: string;
  readonly definition: JsonObject;
}

function Prompt({ server, name, definition }: PromptProps): ReactNode {
  const fields = useMemo(() => fieldsOf(definition), [definition]);
  const [values, setValues] = useState<FieldValues>({});
  const get = useHubAction((hub, given: FieldValues) =>
    hub.prompts.get({
      server,
      name,
      args: Object.fromEntries(Object.entries(given).map(([key, value]) => [key, textOf(value)])),
    }),
  );
  const messages = objectsIn(get.data?.['messages']);
  return (
    <>
      <FieldsForm
        fields={fields}
        values={values}
        onChange={setValues}
        onSubmit={() => get.mutate(values)}
        submitLabel="Show messages"
        busy={get.isPending}
        error={get.error}
      />
      {messages.map(({ role, content }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a message is known by its place
        <section key={index} className={styles['message']} aria-label={`Message ${index + 1}`}>
          <h3>{showHidden(typeof role === 'string' ? role : 'user')}</h3>
          <ResultView
            {...shownResult({ result: { content: Array.isArray(content) ? content : [content ?? null] } })}
          />
        </section>
      ))}
    </>
  );
}

function fieldsOf({ arguments: given }: JsonObject): readonly FieldSpec[] {
  return objectsIn(given).flatMap((argument): readonly FieldSpec[] => {
    const name = textIn(argument, 'name');
    const description = textIn(argument, 'description');
    if (name === undefined) return [];
    return [
      {
        id: name,
        label: textIn(argument, 'title') ?? name,
        kind: 'text',
        required: argument['required'] === true,
        ...(description === undefined ? {} : { description }),
      },
    ];
  });
}
