import type { Topic } from '../topic.ts';

export const chat: Topic = {
  title: 'Talking to a model that uses your servers',
  text: `
  plug model
  plug chat
  plug chat --servers github,linear

A model is set once, with plug model; its key goes into the vault. Any endpoint that speaks as OpenAI does will do: Ollama, LM Studio, vLLM.

Type what you want. @github in the text names a server; without that, whichever the request needs is used. Calls that need your yes show a card, as plug call does.

  /help        every command of the chat
  /mcp         servers and tools: list, tools, status, doctor, add, …
  /servers     which servers the next question may use
  /model       another model
  /cost        what it has cost so far
  /save        write the conversation into a file

Ctrl-C stops the running call; twice leaves. Without a model all slash commands still work.

SEE ALSO

  plug help documents
`,
};
