import type { Topic } from '../topic.ts';

export const names: Topic = {
  title: 'How servers, tools and accounts are called',
  text: `
A server has a name of yours: a–z, 0–9, dot, dash and underscore, such as github. Everything that takes SERVER takes that name.

A tool is SERVER/TOOL, such as github/create_issue. That name never changes because another server joined. Models and hosts do not take a slash; what they write is understood here too:

  github__create_issue
  mcp__github__create_issue

Several accounts at one server have names: --account work, when signing in. Calls use the default one:

  plug auth default github work

A profile is a named subset of servers and tools. Where one is wanted it is --profile NAME. Globs in it use * and ?, such as github/get_*.

Approvals, grants and kept results have ids. A mistyped name is answered with the nearest one.
`,
};
