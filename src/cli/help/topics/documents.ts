import type { Topic } from '../topic.ts';

export const documents: Topic = {
  title: 'Prompts in files, answered without questions',
  text: `
  plug run report.md
  plug run report.md -o answer.md
  plug run report.md --servers github,linear --yes-reads

A document is Markdown; what stands in it is the prompt. Front matter between two lines of --- may name the model, the servers and the grants that it needs:

  ---
  model: fast
  servers: [github]
  grants: [github/create_issue]
  ---

Nobody is asked. --yes-reads lets what only reads run. What the document asks to be granted holds only with --accept-grants, and only for this run: a file may have been written by somebody else.

What would need an approval ends the run with exit code 3.

SEE ALSO

  plug help exit-codes
`,
};
