import type { ReactNode } from 'react';
import { MEASURES } from './series.ts';

/** The heads of a table with a column for each measure; the first names what its rows are. */
export function MeasureHeads({ first }: { readonly first: string }): ReactNode {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        {MEASURES.map(({ id, label }) => (
          <th key={id} scope="col">
            {label}
          </th>
        ))}
      </tr>
    </thead>
  );
}
