import { useEffect, useMemo, useRef, useState, type FormEvent, type ReactNode } from 'react';
import type { InstallRequest, OfferedPlan } from '../hub/hub-context.tsx';
import { Button } from '../parts/button.tsx';
import { Fold } from '../parts/fold.tsx';
import { problemsIn } from '../parts/form/check-fields.ts';
import { FieldList, focusFirstProblem } from '../parts/form/field-list.tsx';
import { fieldProblemsOf } from '../parts/form/field-problems.ts';
import { textOf, type FieldSpec, type FieldValues } from '../parts/form/field-spec.ts';
import { fieldsOfPlan, valuesOfPlan } from '../parts/form/plan-fields.ts';
import { Agree, needsAgreement } from './agree.tsx';
import type { Adders } from './add-all.tsx';
import { AuthNote } from './auth-note.tsx';
import { keepValues, keptValues } from './drafts.ts';
import { MoreValues, pairsOf, type MoreValue } from './more-values.tsx';
import { PlanFailure } from './plan-failure.tsx';
import { PlanLog } from './plan-log.tsx';
import type { PlanWork } from './use-plan-work.ts';
import styles from './add.module.css';

/** Its tools are called by it, and so is everything else that is kept of it. */
const NAME: FieldSpec = { id: 'name', label: 'Name', kind: 'text', required: true, max: 64 };

interface PlanFormProps {
  readonly plan: OfferedPlan;
  readonly work: PlanWork;
  /** Where the button “Add all” finds this form. */
  readonly adders: Adders;
}

/** Everything of a plan that a person may give or change, and then Test and Add. */
export function PlanForm({ plan, work, adders }: PlanFormProps): ReactNode {
  const { view } = plan;
  const asked = useMemo(() => fieldsOfPlan(view.form, plan.needs), [view.form, plan.needs]);
  const fields = useMemo(() => [{ ...NAME, preset: plan.server }, ...asked], [asked, plan.server]);
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState<FieldValues>(() => keptValues(plan.server));
  const [more, setMore] = useState<readonly MoreValue[]>([]);
  const [key, setKey] = useState('');
  const [agreed, setAgreed] = useState(false);
  const [tried, setTried] = useState(false);
  const isBusy = work.doing !== 'nothing';
  const isBarred = needsAgreement(view) && !agreed;
  const isRemote = view.url !== undefined;

  const request = (): InstallRequest => ({
    plan: plan.plan,
    id: textOf(values[NAME.id] ?? plan.server).trim(),
    values: valuesOfPlan(asked, values),
    ...(isRemote
      ? { headers: { ...pairsOf(more), ...(key === '' ? {} : { Authorization: `Bearer ${key}` }) } }
      : { env: pairsOf(more) }),
  });
  const isComplete = (): boolean => {
    setTried(true);
    const isFine = Object.keys(problemsIn(fields, values)).length === 0;
    if (!isFine) focusFirstProblem(form.current);
    return isFine && !isBusy && !isBarred;
  };
  const add = (change: Partial<InstallRequest> = {}): void => {
    if (isComplete()) work.add({ ...request(), ...change });
  };
  useEffect(() => {
    adders.set(plan.plan, () => add());
    return () => void adders.delete(plan.plan);
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    add();
  };
  const change = (next: FieldValues): void => {
    setValues(next);
    keepValues(plan.server, fields, next);
  };

  return (
    <form ref={form} className={styles['stack']} onSubmit={submit} noValidate autoComplete="off">
      <FieldList
        fields={fields}
        values={values}
        onChange={change}
        showAll={tried}
        refused={fieldProblemsOf(work.error)}
        disabled={isBusy}
      />
      <AuthNote plan={plan} keyText={key} onKey={setKey} disabled={isBusy} />
      <Fold label={isRemote ? 'More headers' : 'More variables'}>
        <MoreValues kind={isRemote ? 'header' : 'variable'} values={more} onChange={setMore} />
      </Fold>
      <Agree view={view} agreed={agreed} onChange={setAgreed} />
      <div className={styles['row']}>
        <Button
          type="submit"
          look="primary"
          icon="plus"
          busy={work.doing === 'add'}
          disabled={isBusy || isBarred}
        >
          Add
        </Button>
        <Button
          onClick={() => isComplete() && work.tryIt(request())}
          busy={work.doing === 'try'}
          disabled={isBusy || isBarred}
        >
          Test
        </Button>
        {isBusy && (
          <Button look="quiet" icon="stop" onClick={work.stop}>
            Stop
          </Button>
        )}
        <span className={styles['meta']}>Add tests it first and saves nothing if the test fails.</span>
      </div>
      <PlanLog work={work} />
      {work.error !== undefined && (
        <PlanFailure
          error={work.error}
          onRetry={() => add()}
          onReplace={() => add({ replace: true })}
          onWithoutTest={() => add({ test: false })}
        />
      )}
    </form>
  );
}
