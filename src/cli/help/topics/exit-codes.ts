import type { Topic } from '../topic.ts';

export const exitCodesTopic: Topic = {
  title: 'What a script can branch on',
  text: `
  0    it is done
  1    it failed, or the tool reported an error
  2    the command line makes no sense, or arguments do not fit
  3    an approval or trust is needed, and nobody can be asked
  4    a sign-in is needed
  5    a server, or the hub, is not available
  6    there is no such server, tool, profile, result or id
  130  Ctrl-C

They never change their meaning. With --json the answer is one document on standard output; a failure is a document too:

  { "error": { "code": …, "message": …, "owner": …, "next": … } }

The owner says whose move it is: you, server, network, registry or plugboard. next is the command to type. What never ends, such as plug events -f, prints one JSON record a line.
`,
};
