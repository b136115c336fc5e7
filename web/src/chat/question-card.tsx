import { useId, useState, type ReactNode } from 'react';
import { hostWarning } from '../../../src/base/host-warning.ts';
import { isObject } from '../../../src/base/json.ts';
import { webAddress } from '../../../src/base/web-address.ts';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { JsonObject } from '../hub/hub-context.tsx';
import { Button } from '../parts/button.tsx';
import type { FieldValues } from '../parts/form/field-spec.ts';
import { FieldsForm } from '../parts/form/fields-form.tsx';
import { argsOf, fieldsOfSchema } from '../parts/form/schema-fields.ts';
import type { ServerQuestion } from './page-host.tsx';
import styles from './question-card.module.css';

/** What a server asks in the midst of a call: a form, or a page to open. It takes no focus. */
export function QuestionCard({ question }: { readonly question: ServerQuestion }): ReactNode {
  const title = useId();
  const { server, params, answer } = question;
  const message = typeof params['message'] === 'string' ? params['message'] : '';
  return (
    <section className={styles['card']} aria-labelledby={title}>
      <h3 id={title}>{showHidden(server)} asks you</h3>
      <p className={styles['message']}>{showHidden(message)}</p>
      {params['mode'] === 'url' ? (
        <OpenPage address={params['url']} answer={answer} />
      ) : (
        <Form params={params} answer={answer} />
      )}
    </section>
  );
}

interface AnswerProps {
  readonly answer: ServerQuestion['answer'];
}

function Form({ params, answer }: AnswerProps & { readonly params: JsonObject }): ReactNode {
  const { requestedSchema } = params;
  const fields = isObject(requestedSchema) ? fieldsOfSchema(requestedSchema) : [];
  const [values, setValues] = useState<FieldValues>({});
  return (
    <>
      <FieldsForm
        fields={fields}
        values={values}
        onChange={setValues}
        onSubmit={() => answer({ action: 'accept', content: argsOf(fields, values) })}
        submitLabel="Answer"
        actions={<Refusals answer={answer} />}
      />
      <p className={styles['meta']}>What you type goes to this server. Never type a password here.</p>
    </>
  );
}

/** The whole address is shown, and its host once more: a long address hides where it leads. */
function OpenPage({ address, answer }: AnswerProps & { readonly address: unknown }): ReactNode {
  const href = webAddress(address);
  if (href === undefined) {
    return (
      <>
        <p className={styles['meta']}>It gave no URL.</p>
        <div className={styles['row']}>
          <Refusals answer={answer} />
        </div>
      </>
    );
  }
  const { host, hostname, protocol } = new URL(href);
  const warning = hostWarning(hostname);
  const open = (): void => {
    window.open(href, '_blank', 'noopener,noreferrer');
    answer({ action: 'accept' });
  };
  return (
    <>
      <p>
        The page is at <strong>{host}</strong>
        {protocol === 'http:' && ', and not encrypted'}.
      </p>
      <p className={styles['address']}>{showHidden(href)}</p>
      {warning !== undefined && <p className={styles['meta']}>{warning}</p>}
      <div className={styles['row']}>
        <Button look="primary" onClick={open}>
          Open {host}
        </Button>
        <Refusals answer={answer} />
      </div>
    </>
  );
}

function Refusals({ answer }: AnswerProps): ReactNode {
  return (
    <>
      <Button onClick={() => answer({ action: 'decline' })}>Decline</Button>
      <Button look="quiet" onClick={() => answer({ action: 'cancel' })}>
        Cancel
      </Button>
    </>
  );
}
