/** How to get a model, one line for each kind; every one of them asks for what is missing. */
export const modelSteps: readonly string[] = [
  'plug model add ollama                    a model on this machine, no key (also: lmstudio, vllm)',
  'plug model add anthropic                 with a key from the provider (also: openai, google)',
  'plug model add compatible --url URL      anything else that speaks as OpenAI does',
];
